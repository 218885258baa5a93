#include "doctor_command.h"

#include "command.h"
#include "hunt/doctor.h"

#include <cstdio>
#include <memory>

namespace heddle {
namespace {

using namespace hunt;

// Whether nothing is wrong.
bool Print(const std::vector<Check> &checks) {
  bool good = true;
  for (const Check &check : checks) {
    const bool wrong = check.verdict == Check::Verdict::kWrong;
    const char *mark = wrong ? "WRONG" : check.verdict == Check::Verdict::kRemark ? "note" : "ok";
    printf("%-6s %s\n", mark, check.what.c_str());
    if (!check.remedy.empty())
      printf("       %s\n", check.remedy.c_str());
    good = good && !wrong;
  }
  return good;
}

int Doctor(const std::string &program) {
  bool good = Print(CheckMachine());
  good = Print(CheckCompiler()) && good;
  if (!program.empty())
    good = Print(CheckProgram(program)) && good;
  puts(good ? "All can be used." : "Something is wrong: see above.");
  return good ? kNothingFound : kFound;
}

} // namespace

std::function<int()> AddDoctorCommand(CLI::App *heddle, CLI::App **subcommand) {
  auto program = std::make_shared<std::string>();
  CLI::App *doctor = *subcommand = heddle->add_subcommand(
      "doctor",
      "Says whether this machine and a program can be used, and how to mend what is wrong.");
  doctor->add_option("program", *program, "A program to look at; it is not run");
  doctor->footer("Exits with 0 if all can be used, 1 if something is wrong.");
  return Guarded(*doctor, [=] { return Doctor(*program); });
}

} // namespace heddle
