// The reader of litmus tests in herd's assembly formats: what a test becomes, and what
// each mistake is told. And what herd prints.

#include "litmus_documentation.h"

#include "heddle/litmus/hardware/assembly_columns.h"
#include "heddle/litmus/hardware/assembly_litmus.h"
#include "heddle/litmus/hardware/herd.h"
#include "heddle/litmus/printer.h"

#include <gtest/gtest.h>

namespace {
using namespace heddle::litmus;
using namespace heddle::litmus::hardware;

AssemblyTest MustParse(const std::string &text) {
  AssemblyTest test;
  ParseError error;
  EXPECT_TRUE(ParseAssembly(text, "t", &test, &error)) << error.ToString() << "\n" << text;
  return test;
}

std::string ErrorOf(const std::string &text) {
  AssemblyTest test;
  ParseError error;
  EXPECT_FALSE(ParseAssembly(text, "t", &test, &error)) << text;
  return error.ToString();
}

const char kMp[] = R"(AArch64 MP+dmb.sy+addr
"a comment"
Cycle=Rfe DpAddrdR Fre DMB.SYdWW
{ 0:X1=x; 0:X3=y; 1:X1=y; uint64_t 1:X3=x; int x=7; [y]=-1; 1:X5=3; }
 P0          | P1                  ;
 MOV W0,#1   | LDR W0,[X1]         ; (* a comment | ; *)
 STR W0,[X1] | CBNZ W0,LC00        ;
 DMB SY      | LC00: EOR W2,W0,W0  ;
 STR W0,[X3] | LDR W4,[X3,W2,SXTW] ;
             | End:                ;
locations [x; 1:W4;]
exists (1:X0=1 /\ 1:X4=0)
)";

TEST(AssemblyLitmus, Parts) {
  AssemblyTest test = MustParse(kMp);
  EXPECT_EQ(test.architecture, Architecture::kAArch64);
  EXPECT_EQ(test.program.name, "MP+dmb.sy+addr");
  ASSERT_EQ(test.program.locations.size(), 2u);
  EXPECT_EQ(test.program.locations[0].name, "x");
  EXPECT_EQ(test.program.locations[0].initial, 7);
  EXPECT_EQ(test.program.locations[1].initial, -1);
  ASSERT_EQ(test.threads.size(), 2u);
  const AssemblyThread &reader = test.threads[1];
  EXPECT_EQ(reader.image.code.size(), 4u);
  EXPECT_EQ(reader.image.symbols.at("lc00"), kCodeAddress + 8);
  EXPECT_EQ(reader.image.symbols.at("end"), kCodeAddress + 16);
  EXPECT_EQ(reader.entry.end, kCodeAddress + 16);
  EXPECT_EQ(reader.entry.registers.at("x1"), LocationAddress(1));
  EXPECT_EQ(reader.entry.registers.at("x3"), LocationAddress(0));
  EXPECT_EQ(reader.entry.registers.at("x5"), 3u);
  EXPECT_EQ(reader.entry.observed, (std::vector<std::string>{"w4", "x0", "x4"}));
  const Instruction &last = reader.image.code.at(kCodeAddress + 12);
  EXPECT_EQ(last.mnemonic, "ldr");
  EXPECT_EQ(last.operands, (std::vector<std::string>{"w4", "[x3,w2,sxtw]"}));
  EXPECT_EQ(last.text, "LDR W4,[X3,W2,SXTW]");
  EXPECT_EQ(test.program.observed.size(), 4u);
  EXPECT_EQ(test.program.quantifier, Quantifier::kExists);
}

TEST(AssemblyLitmus, RunsThroughTheModel) {
  AssemblyTest test = MustParse(kMp);
  HardwareProgram program = MakeHardwareProgram(test);
  Outcome outcome = RunHardware(program, test.architecture);
  // x is 7 first and 1 at last, y is -1 first: of x, w4, x0, x4 as observed.
  std::set<State> states;
  for (const auto &[state, count] : outcome.states)
    states.insert(state);
  EXPECT_EQ(states, (std::set<State>{{1, 1, 1, 1}, {1, -1, 1, 1}, {7, -1, 7, 1}}));
}

TEST(AssemblyLitmus, Architectures) {
  EXPECT_TRUE(IsAssemblyTest("(* first *) AArch64 name"));
  EXPECT_TRUE(IsAssemblyTest("ARM name"));
  EXPECT_TRUE(IsAssemblyTest("RISCV name"));
  EXPECT_TRUE(IsAssemblyTest("X86_64 name"));
  EXPECT_TRUE(IsAssemblyTest("X86 name"));
  EXPECT_FALSE(IsAssemblyTest("C name"));
  EXPECT_FALSE(IsAssemblyTest(""));
  AssemblyTest riscv = MustParse("RISCV t\n{ 0:x5=x; }\n P0 ;\n amoswap.w.aq.rl x6,x7,(x5) ;\n");
  EXPECT_EQ(riscv.threads[0].image.code.begin()->second.mnemonic, "amoswap.w.aqrl");
  // A test without a condition observes nothing.
  EXPECT_TRUE(riscv.program.observed.empty());
  AssemblyTest x86 = MustParse("X86_64 t\n{ x=1; 0:%rdi=y; }\n P0 ;\n movl $1,(z) ;\n "
                               "movl (%rdi),%eax ;\nexists (0:rax=1 /\\ z=1)");
  ASSERT_EQ(x86.program.locations.size(), 3u);
  EXPECT_EQ(x86.program.locations[2].name, "z");
  EXPECT_EQ(x86.threads[0].image.variables.size(), 3u);
  EXPECT_EQ(x86.threads[0].image.code.begin()->second.operands[1],
            std::to_string(LocationAddress(2)) + "()");
  Outcome outcome = RunHardware(MakeHardwareProgram(x86), x86.architecture);
  EXPECT_EQ(outcome.states.size(), 1u);
  EXPECT_EQ(outcome.states.count({0, 1}), 1u);
}

TEST(AssemblyLitmus, IntelSyntax) {
  AssemblyTest test = MustParse("X86 t\n{ x=1; }\n P0 ;\n MOV [Y],$2 ;\n MOV EAX, 3 ;\n "
                                "LOCK XADD [x],EAX ;\n mov EBX,[Y] ;\n CMP EBX,EAX ;\n "
                                "JE L0 ;\n MFENCE ;\n INC [x] ;\n L0: ;\n"
                                "exists (0:EAX=1 /\\ 0:EBX=2 /\\ x=5);");
  auto text = [&](int index) {
    const Instruction &code = test.threads[0].image.code.at(kCodeAddress + 4 * index);
    std::string text = code.mnemonic;
    for (const std::string &operand : code.operands)
      text += " " + operand;
    return text;
  };
  std::string x = std::to_string(LocationAddress(0)) + "()";
  std::string y = std::to_string(LocationAddress(1)) + "()";
  EXPECT_EQ(text(0), "movl $2 " + y);
  EXPECT_EQ(text(1), "movl $3 %eax");
  EXPECT_EQ(text(2), "lock xaddl %eax " + x);
  EXPECT_EQ(text(3), "movl " + y + " %ebx");
  EXPECT_EQ(text(4), "cmpl %eax %ebx");
  EXPECT_EQ(text(5), "je l0");
  EXPECT_EQ(text(6), "mfence");
  EXPECT_EQ(text(7), "incl " + x);
  // The text is what the file says.
  EXPECT_EQ(test.threads[0].image.code.begin()->second.text, "MOV [Y],$2");
  Outcome outcome = RunHardware(MakeHardwareProgram(test), test.architecture);
  EXPECT_EQ(outcome.states.size(), 1u);
  EXPECT_EQ(outcome.states.count({1, 2, 5}), 1u);
}

// herd's symbolic registers: any that the test does not name.
TEST(AssemblyLitmus, SymbolicRegisters) {
  AssemblyTest test = MustParse(R"(ARM MP+dmb+addr
"no partner
{ %x0=x; 0:%y0=y; %y1=y; 1:R0=5; P1:%x1=x; }
 P0           | P1               ;
 MOV R0,#1    | LDR %r,[%y1]     ;
 STR R0,[%x0] | EOR R2,%r,%r     ;
 DMB          | LDR R3,[R2,%x1]  ;
 STR R0,[%y0] |                  ;
exists (%r=1 /\ 1:R3=0 /\ 1:R9=0)
)");
  const AssemblyThread &writer = test.threads[0], &reader = test.threads[1];
  // What a thread's column or the text around the table names is taken: R0, R3 and R9, in P1
  // R2 as well.
  EXPECT_EQ(writer.entry.registers, (std::map<std::string, uint64_t>{{"r1", LocationAddress(0)},
                                                                     {"r2", LocationAddress(1)}}));
  EXPECT_EQ(reader.entry.registers,
            (std::map<std::string, uint64_t>{
                {"r0", 5}, {"r4", LocationAddress(0)}, {"r5", LocationAddress(1)}}));
  EXPECT_EQ(reader.entry.observed, (std::vector<std::string>{"r1", "r3", "r9"}));
  const Instruction &load = reader.image.code.at(kCodeAddress);
  EXPECT_EQ(load.operands, (std::vector<std::string>{"r1", "[r5]"}));
  EXPECT_EQ(load.text, "LDR %r,[%y1]");
  Outcome outcome = RunHardware(MakeHardwareProgram(test), test.architecture);
  EXPECT_EQ(outcome.states.size(), 3u);
  EXPECT_EQ(outcome.states.count({1, 0, 0}), 0u);

  AssemblyTest sized = MustParse("AArch64 t\n{ %x0=x; }\n P0 ;\n MOV W%v,#1 ;\n STR W%v,[X%x0] ;\n"
                                 " ADD x%v,%v,#1 ;\nexists (0:%v=2)");
  auto operands = [&](int index) {
    return sized.threads[0].image.code.at(kCodeAddress + 4 * index).operands;
  };
  EXPECT_EQ(operands(0), (std::vector<std::string>{"w0", "#1"}));
  EXPECT_EQ(operands(1), (std::vector<std::string>{"w0", "[x1]"}));
  EXPECT_EQ(operands(2), (std::vector<std::string>{"x0", "x0", "#1"}));

  EXPECT_EQ(ErrorOf("ARM t\n{ %x=x; }\n P0 | P1 ;\n LDR R0,[%x] | LDR R0,[%x] ;\n"),
            "t:2:3: '%x' is a register of P0 and of P1; write '1:%x'");
  EXPECT_EQ(ErrorOf("ARM t\n{ %x=x; }\n P0 ;\n NOP ;\n"),
            "t:2:3: the register '%x' stands in the code of no thread");
  EXPECT_EQ(ErrorOf("ARM t\n{ 0:%x=x; }\n P0 | P1 ;\n NOP | LDR R0,[%x] ;\n"),
            "t:2:3: P0 has no register '%x' in its code");
  EXPECT_EQ(ErrorOf("ARM t\n{ % =x; }"), "t:2:5: expected a symbolic register such as %x0, found "
                                         "'='");
  std::string many;
  for (int i = 0; i < 14; i++)
    many += " MOV %r" + std::to_string(i) + ",#1 ;\n";
  EXPECT_EQ(ErrorOf("ARM t\n{}\n P0 ;\n" + many), "t:13:2: no register is left for '%r9'");
}

TEST(AssemblyLitmus, Conditions) {
  // A location's name is its address, in a condition and in a state.
  AssemblyTest test = MustParse("AArch64 t\n{ 0:X1=x; 0:X2=y; }\n P0 ;\n MOV X3,X1 ;\n"
                                "locations [x;] filter (0:X1=0:X3) final (0:X3=x /\\ 0:X2!=x)");
  Outcome outcome = RunHardware(MakeHardwareProgram(test), test.architecture);
  ApplyFilter(test.program, &outcome);
  ASSERT_EQ(outcome.states.size(), 1u);
  const State &state = outcome.states.begin()->first;
  EXPECT_TRUE(Holds(test.program.condition, test.program, state));
  EXPECT_EQ(FormatState(test.program, state), "0:X1=x; 0:X3=x; 0:X2=y; x=0;");
  EXPECT_EQ(PrintCondition(test.program), "exists (0:X3=x /\\ not (0:X2=x))");
  // Without a word in front of it.
  EXPECT_EQ(MustParse("ARM t\n{ x; }\n P0 ;\n NOP ;\n(x=1)").program.quantifier,
            Quantifier::kExists);
  EXPECT_EQ(ErrorOf("ARM t\n{ x; }\n P0 ;\n NOP ;\nobserved x=1;"),
            "t:5:1: lists of observed states are not supported; use 'exists'");
}

std::set<State> StatesOf(const std::string &text) {
  AssemblyTest test = MustParse(text);
  std::set<State> states;
  for (const auto &[state, count] :
       RunHardware(MakeHardwareProgram(test), test.architecture).states)
    states.insert(state);
  return states;
}

TEST(AssemblyLitmus, Widths) {
  // By type, signed or not.
  EXPECT_EQ(StatesOf("AArch64 t\n{ 0:X1=x; 0:X2=y; 0:X3=z; uint8_t x=-1; int16_t y=65535;\n"
                     "uint64_t z=0x100000002; }\n P0 ;\n LDRB W4,[X1] ;\n LDRSH X5,[X2] ;\n"
                     " LDR X6,[X3] ;\nlocations [0:X4; 0:X5; 0:X6; x; y; z;]"),
            (std::set<State>{{255, -1, 0x100000002, 255, -1, 0x100000002}}));
  // Atomics of a byte and of a half.
  EXPECT_EQ(StatesOf("AArch64 t\n{ 0:X1=x; uint8_t x=255; 0:X2=y; uint16_t y=1; 0:X3=257;\n"
                     "0:X5=0x10001; }\n P0 ;\n LDADDB W3,W4,[X1] ;\n LDARB W6,[X1] ;\n"
                     " CASH W5,W3,[X2] ;\n LDAPRH W7,[X2] ;\n"
                     "locations [0:X4; 0:X6; 0:X5; 0:X7; x; y;]"),
            (std::set<State>{{255, 0, 1, 257, 0, 257}}));
  EXPECT_EQ(StatesOf("AArch64 t\n{ 0:X1=x; int8_t x=-1; }\n P0 ;\n L: LDAXRB W0,[X1] ;\n"
                     " ADD W0,W0,#2 ;\n STLXRB W2,W0,[X1] ;\n CBNZ W2,L ;\nlocations [0:X0; x;]"),
            (std::set<State>{{257, 1}}));
  // Without a type, by the accesses.
  EXPECT_EQ(
      StatesOf("AArch64 t\n{ 0:X1=x; 1:X1=x; x=5; }\n P0 | P1 ;\n LDR X0,[X1] | STR X1,[X1] ;\n"
               "exists (0:X0=x /\\ x=x)")
          .size(),
      2u);
  // A location may hold an address.
  std::set<State> pointers = StatesOf("AArch64 t\n{ 0:X1=p; int *p=&x; y=x; 0:X2=y; x=7; }\n P0 ;\n"
                                      " LDR X3,[X1] ;\n LDR W4,[X3] ;\n LDR X5,[X2] ;\n"
                                      "exists (0:X4=7 /\\ 0:X5=x)");
  ASSERT_EQ(pointers.size(), 1u);
  EXPECT_EQ(*pointers.begin(), (State{7, static_cast<Value>(LocationAddress(1))}));
  // 32 bits of a register, however they were extended.
  AssemblyTest test = MustParse("AArch64 t\n{ 0:X1=x; int x=-1; }\n P0 ;\n LDR W0,[X1] ;\n"
                                "exists (0:X0=4294967295)");
  Outcome outcome = RunHardware(MakeHardwareProgram(test), test.architecture);
  EXPECT_TRUE(Holds(test.program.condition, test.program, outcome.states.begin()->first));

  auto error_of = [](const std::string &text) -> std::string {
    try {
      MakeHardwareProgram(MustParse(text));
    } catch (const UnknownInstruction &unknown) {
      return unknown.what();
    }
    return "";
  };
  EXPECT_EQ(error_of("AArch64 t\n{ 0:X1=x; int x; }\n P0 ;\n LDR X0,[X1] ;\n"),
            "4:2: accesses of mixed size are not supported: this one has 8 bytes, 'x' 4");
  EXPECT_EQ(error_of("AArch64 t\n{ 0:X1=x; }\n P0 ;\n LDR X0,[X1] ;\n LDRB W0,[X1] ;\n"),
            "5:2: accesses of mixed size are not supported: this one has 1 bytes, 'x' 8");
}

TEST(AssemblyLitmus, Arrays) {
  AssemblyTest test =
      MustParse("AArch64 t\n{ 0:X2=v[1]; 0:X5=v; int64_t v[2]={22,44}; int w[3]; }\n"
                " P0 ;\n LDR X0,[X2] ;\n ADD X3,X5,#8 ;\n STR X0,[X5] ;\n"
                "exists (0:X3=v[1] /\\ v=44 /\\ v[1]=44 /\\ w[2]=0 /\\ 0:X5=v)");
  Outcome outcome = RunHardware(MakeHardwareProgram(test), test.architecture);
  ASSERT_EQ(outcome.states.size(), 1u);
  const State &state = outcome.states.begin()->first;
  EXPECT_TRUE(Holds(test.program.condition, test.program, state));
  EXPECT_EQ(FormatState(test.program, state), "0:X3=v[1]; 0:X5=v[0]; v[0]=44; v[1]=44; w[2]=0;");
}

// What follows the failure of a store-exclusive is part of a test.
TEST(AssemblyLitmus, ExclusivesMayFail) {
  std::set<State> states = StatesOf("AArch64 t\n{ 0:X1=x; }\n P0 ;\n MOV W0,#1 ;\n LDXR W2,[X1] ;\n"
                                    " STXR W3,W0,[X1] ;\nlocations [0:X3; x;]");
  EXPECT_EQ(states, (std::set<State>{{0, 1}, {1, 0}}));
  // A loop ends.
  states = StatesOf("AArch64 t\n{ 0:X1=x; }\n P0 ;\n MOV W0,#1 ;\n L: LDXR W2,[X1] ;\n"
                    " STXR W3,W0,[X1] ;\n CBNZ W3,L ;\nlocations [0:X3; x;]");
  EXPECT_EQ(states, (std::set<State>{{0, 1}}));
}

TEST(AssemblyLitmus, Errors) {
  EXPECT_EQ(ErrorOf("PPC t\n{}"),
            "t:1:1: expected 'AArch64', 'ARM', 'RISCV', 'X86' or 'X86_64' and the "
            "test's name, found 'PPC'");
  EXPECT_EQ(ErrorOf("ARM \n{}"), "t:1:5: expected the test's name");
  // The lexer's words for it stand nowhere in the text.
  EXPECT_NE(ErrorOf("X86_64 t\n{}\n\"P0 ;").find("t:3:1: "), std::string::npos);
  EXPECT_EQ(ErrorOf("ARM t\n{ 0:X1=x; }"), "t:2:5: expected a register such as R0, found 'X1'");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ 0:X31=x; }"),
            "t:2:5: expected a register such as X0, found 'X31'");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ __int128 x; }"),
            "t:2:3: a location has 64 bits at most; found '__int128'");
  EXPECT_EQ(ErrorOf("X86_64 t\n{ %rax=x; }\n P0 ;\n nop ;\n"),
            "t:2:3: expected a thread in front of 'rax': '0:rax'");
  EXPECT_EQ(ErrorOf("X86_64 t\n{}\n P0 ;\n nop ;\nexists (%rax=1)"),
            "t:5:9: expected a thread in front of 'rax': '0:rax'");
  EXPECT_EQ(ErrorOf("X86 t\n{ int v[2]; }"), "t:2:8: arrays are not supported in tests for x86");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ int v[17]; }"), "t:2:8: an array has 64 bytes at most");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ int v[2]; int v[2]; }"),
            "t:2:18: this array is declared already");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ int v[2]={1}; }"), "t:2:14: expected ',', found '}'");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ 0:X1=v[2]; int v[2]; }\n P0 ;\n NOP ;\n"),
            "t:2:8: there is no such element of an array");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ int v[2]; }\n P0 ;\n NOP ;\nexists (v[2]=0)"),
            "t:5:9: there is no location 'v[2]'; did you mean 'v[0]', 'v[1]'?");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ 0:X1=x:red; }"), "t:2:9: memory tags are not supported");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ x:red=1; }"), "t:2:4: memory tags are not supported");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ tag(x)=:red; }"), "t:2:3: memory tags are not supported");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ [PTE(x)]=1; }"), "t:2:4: page tables are not supported");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ 0:X1=(oa:PA(x)); }"), "t:2:8: page tables are not supported");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ 0:X1=P1:L0; }"), "t:2:8: code as data is not supported");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ 0:X1=instr:\"NOP\"; }"), "t:2:8: code as data is not supported");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ x=0 y=0; }"), "t:2:7: expected ';', found 'y'");
  EXPECT_EQ(ErrorOf("AArch64 t\n{}\n"), "t:3:1: expected 'P0', the first thread");
  EXPECT_EQ(ErrorOf("AArch64 t\n{}\n P0 | P2 ;\n"), "t:3:7: expected 'P1', found 'P2'");
  EXPECT_EQ(ErrorOf("AArch64 t\n{}\n P0 ;\n NOP\n"), "t:4:2: expected ';' at the end of this row");
  EXPECT_EQ(ErrorOf("AArch64 t\n{}\n P0 ;\n NOP | NOP ;\n"), "t:4:2: expected 1 columns, found 2");
  EXPECT_EQ(ErrorOf("AArch64 t\n{}\n P0 ;\n L: ;\n L: NOP ;\n"),
            "t:5:2: the label 'l' is there already");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ 1:X0=x; }\n P0 ;\n NOP ;\n"), "t:2:3: there is no thread P1");
  EXPECT_EQ(ErrorOf("AArch64 t\n{}\n P0 ;\n NOP ;\nexists (1:X0=0)"),
            "t:5:9: there is no thread P1");
  EXPECT_EQ(ErrorOf("AArch64 t\n{}\n P0 ;\n NOP ;\nexists (0:r0=0)"),
            "t:5:11: expected a register such as X0, found 'r0'");
  EXPECT_EQ(ErrorOf("AArch64 t\n{}\n P0 ;\n NOP ;\nexists (x=0)"),
            "t:5:9: there is no location 'x'");
  EXPECT_EQ(ErrorOf("AArch64 t\n{ x; }\n P0 ;\n NOP ;\nexists (x=0"),
            "t:5:12: expected ')', found end of file");
}

// The table of docs/hardware-models.md.
TEST(AssemblyLitmus, RefusesWhatTheDocumentationSays) {
  int rows = 0;
  for (const auto &[where, example, expected] : TableOf("hardware-models.md", "example")) {
    rows++;
    std::string text = "AArch64 t\n{ 0:X1=x; " + (where == "state" ? example : "") +
                       " }\n P0 ;\n " + (where == "code" ? example : "NOP") + " ;\n" +
                       (where == "condition" ? example : "");
    std::string found;
    AssemblyTest test;
    ParseError error;
    if (!ParseAssembly(text, "t", &test, &error)) {
      found = error.message;
    } else {
      try {
        MakeHardwareProgram(test);
      } catch (const std::runtime_error &refused) {
        found = refused.what();
      }
    }
    EXPECT_NE(found.find(expected), std::string::npos) << text << "\n" << found;
  }
  EXPECT_GE(rows, 12);
}

TEST(AssemblyLitmus, Registers) {
  EXPECT_TRUE(IsRegister(Architecture::kAArch64, "w30"));
  EXPECT_FALSE(IsRegister(Architecture::kAArch64, "x031"));
  EXPECT_TRUE(IsRegister(Architecture::kArm, "r14"));
  EXPECT_FALSE(IsRegister(Architecture::kArm, "w0"));
  EXPECT_TRUE(IsRegister(Architecture::kRiscV, "x31"));
  EXPECT_TRUE(IsRegister(Architecture::kRiscV, "a0"));
  EXPECT_FALSE(IsRegister(Architecture::kRiscV, "a8"));
  EXPECT_TRUE(IsRegister(Architecture::kX86, "r15d"));
  EXPECT_TRUE(IsRegister(Architecture::kX86, "eax"));
  EXPECT_FALSE(IsRegister(Architecture::kX86, "r16"));
}

TEST(AssemblyLitmus, Expectations) {
  ParseError error;
  auto expectation = ParseAssemblyExpectation("x\n(* expected: Allowed, 4 states *)", "t", &error);
  ASSERT_TRUE(expectation);
  EXPECT_TRUE(expectation->allowed);
  EXPECT_EQ(expectation->states, 4u);
  expectation = ParseAssemblyExpectation("(* expected: Forbidden *)", "t", &error);
  ASSERT_TRUE(expectation);
  EXPECT_FALSE(expectation->allowed);
  EXPECT_FALSE(expectation->states);
  EXPECT_FALSE(ParseAssemblyExpectation("nothing", "t", &error));
  EXPECT_EQ(error.line, 0);
  EXPECT_FALSE(ParseAssemblyExpectation("\n(* expected: Never *)", "t", &error));
  EXPECT_EQ(error.ToString(), "t:2:14: expected 'Allowed' or 'Forbidden', found 'Never'");
  EXPECT_FALSE(ParseAssemblyExpectation("(* expected: Allowed, 4 *)", "t", &error));
  EXPECT_EQ(error.ToString(), "t:1:25: expected 'states', found '*'");
}

TEST(Herd, States) {
  EXPECT_EQ(SplitState("1:X0=0; [x]=1;"), (HerdState{"1:X0=0", "x=1"}));
  auto states = ParseHerdStates("Test t Allowed\nStates 2\n0:X0=0; [x]=1;\nx=1; 0:X0=1;\nOk\n");
  ASSERT_TRUE(states);
  EXPECT_EQ(*states, (HerdStates{{"0:X0=0", "x=1"}, {"0:X0=1", "x=1"}}));
  EXPECT_FALSE(ParseHerdStates("Warning: nothing\n"));
  EXPECT_EQ(DescribeDifference(*states, *states), "");
  EXPECT_EQ(DescribeDifference({{"x=1"}}, {{"x=2"}}),
            "  only here:    x=1;\n  only in herd: x=2;\n");
}

} // namespace
