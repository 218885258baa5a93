// See machine.h.
#include "machine.h"

#include "instruction.h"
#include "loops.h"

#include <iterator>

namespace heddle::litmus::hardware {
namespace {

// More than any test takes whose loops end.
constexpr int kMaxSteps = 20000;
constexpr int kMaxEvents = 64;
constexpr uint64_t kStackSize = 1 << 20;

// libgcc's outline atomics look here which instructions there are. Both answers
// must be right, so both are tried, and the answer is then kept.
constexpr char kHaveLse[] = "__aarch64_have_lse_atomics";

std::string Hexadecimal(uint64_t value) {
  char text[32];
  std::snprintf(text, sizeof(text), "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

void AddEdges(Reads from, int to, Edges *edges) {
  for (int read = 0; read < kMaxEvents; read++)
    if (from >> read & 1)
      edges->push_back({read, to});
}

} // namespace

Machine::Machine(const Image &image, const Values &values, Choices *choices, Liveness *liveness,
                 Arrivals *arrivals, int most_jumps)
    : registers(this, &notes_), notes_(liveness), image_(image), values_(values), choices_(choices),
      arrivals_(arrivals), most_jumps_(most_jumps) {}

std::string Machine::Where() const {
  return current_ ? " ('" + current_->text + "' at " + Hexadecimal(current_->address) + ")" : "";
}

void Machine::Fail(const std::string &what) const { throw std::runtime_error(what + Where()); }

int Machine::FindLocation(uint64_t address, int size) const {
  for (const Variable &variable : image_.variables) {
    if (variable.location < 0 || address + size <= variable.address ||
        variable.address + variable.size <= address)
      continue;
    std::string what = "expected an access to all " + std::to_string(variable.size) +
                       " bytes of the shared location at " + Hexadecimal(variable.address) +
                       ", found one to " + std::to_string(size) + " bytes at " +
                       Hexadecimal(address);
    if (address != variable.address)
      Fail(what);
    if (size != variable.size)
      throw OtherWidth(what + Where(), variable.location, size, current_->address);
    return variable.location;
  }
  return -1;
}

const Variable &Machine::VariableOf(int location) const {
  for (const Variable &variable : image_.variables)
    if (variable.location == location)
      return variable;
  throw std::logic_error("no such location");
}

int Machine::AddEvent(Event event, const Word &address, const Word &data) {
  if (events_.size() == kMaxEvents)
    Fail("a path makes more than " + std::to_string(kMaxEvents) + " events");
  event.instruction = steps_;
  event.text = current_->text;
  Incoming incoming;
  incoming.addr = address.reads;
  incoming.data = data.reads;
  control |= address.picked;
  incoming.ctrl = control | predicate_ | data.picked;
  if (event.kind == Event::Kind::kWrite)
    incoming.ctrl |= picked_acquires;
  events_.push_back(event);
  incoming_.push_back(incoming);
  return events_.size() - 1;
}

int Machine::AddRead(int location, const Word &address, uint32_t flags) {
  Event event;
  event.kind = Event::Kind::kRead;
  event.location = location;
  event.flags = flags;
  const std::set<Value> &values = values_.at(location);
  if (values.empty())
    cut_ = true;
  else
    event.value = *std::next(values.begin(), choices_->Choose(values.size()));
  if (auto last = local_writes.find(location);
      last != local_writes.end() && flags & (kAcquire | kAcquirePc))
    picked_acquires |= last->second.value | last->second.read;
  return AddEvent(event, address, {});
}

int Machine::AddWrite(int location, const Word &address, const Word &value, uint32_t flags,
                      Reads read_picks) {
  // Arm's manual has this rule for Armv8 alone.
  if (image_.architecture == Architecture::kAArch64) {
    if (value.picked | read_picks)
      local_writes[location] = {value.picked, read_picks};
    else
      local_writes.erase(location);
  }
  Event event;
  event.kind = Event::Kind::kWrite;
  event.location = location;
  event.flags = flags;
  const Variable &variable = VariableOf(location);
  event.value = variable.is_signed ? SignExtend(value.value, 8 * variable.size)
                                   : LowBits(value.value, 8 * variable.size);
  return AddEvent(event, address, value);
}

Word Machine::ReadValue(int event) const {
  int location = events_[event].location;
  auto last = local_writes.find(location);
  return {LowBits(events_[event].value, 8 * VariableOf(location).size), Reads{1} << event,
          last == local_writes.end() ? 0 : last->second.value};
}

void Machine::AddFence(Fence fence, uint8_t before, uint8_t after) {
  Event event;
  event.fence = fence;
  event.before = before;
  event.after = after;
  AddEvent(event, {}, {});
}

// An address that depends on a read orders later writes: see machine.h.
void Machine::AccessPrivate(const Word &address, uint32_t flags) {
  if (flags)
    Fail("expected ordered and atomic accesses to shared locations only, found one to " +
         Hexadecimal(address.value));
  AddControl(address);
}

Byte Machine::LoadByte(uint64_t address) {
  notes_.ReadByte(address);
  if (auto byte = memory.find(address); byte != memory.end())
    return byte->second;
  if (auto symbol = image_.symbols.find(kHaveLse);
      symbol != image_.symbols.end() && symbol->second == address) {
    Byte answer{static_cast<uint64_t>(choices_->Choose(2))};
    memory[address] = answer;
    return answer;
  }
  for (const Segment &segment : image_.data)
    if (address >= segment.address && address - segment.address < segment.bytes.size())
      return {segment.bytes[address - segment.address]};
  for (const Variable &variable : image_.variables)
    if (address >= variable.address &&
        address - variable.address < static_cast<uint64_t>(variable.size))
      return {};
  // Uninitialised; compilers save registers that nobody has set.
  if (address < kStackTop + kStackSize && address >= kStackTop - kStackSize)
    return {};
  Fail("a load from " + Hexadecimal(address) + ", where there is nothing");
}

Word Machine::Load(const Word &address, int size, uint32_t flags) {
  if (int location = FindLocation(address.value, size); location >= 0)
    return ReadValue(AddRead(location, address, flags));
  AccessPrivate(address, flags);
  Word result{0, address.reads, address.picked};
  for (int i = 0; i < size; i++) {
    Byte byte = LoadByte(address.value + i);
    result = Derive(result.value | byte.value << (8 * i), {result, byte});
  }
  return result;
}

void Machine::Store(const Word &address, int size, const Word &value, uint32_t flags) {
  if (int location = FindLocation(address.value, size); location >= 0) {
    AddWrite(location, address, value, flags);
    return;
  }
  AccessPrivate(address, flags);
  for (int i = 0; i < size; i++) {
    Byte byte = Derive(value.value >> (8 * i) & 0xff, {value, address});
    byte.picked |= predicate_;
    notes_.WriteByte(address.value + i);
    memory[address.value + i] = byte;
  }
}

Word Machine::LoadExclusive(const Word &address, int size, uint32_t flags) {
  int location = FindLocation(address.value, size);
  if (location < 0)
    AccessPrivate(address, flags | kExclusive);
  int read = AddRead(location, address, flags | kExclusive);
  notes_.WriteRegister(kMonitor);
  Word value = ReadValue(read);
  monitor = Monitor{address.value, size, read, value.picked};
  return value;
}

std::optional<int> Machine::StoreExclusive(const Word &address, int size, const Word &value,
                                           uint32_t flags) {
  notes_.ReadRegister(kMonitor);
  notes_.WriteRegister(kMonitor);
  std::optional<Monitor> paired = monitor;
  monitor.reset();
  if (!paired || paired->address != address.value || paired->size != size)
    return std::nullopt;
  if (image_.exclusives_may_fail && Choose(2))
    return std::nullopt;
  int location = FindLocation(address.value, size);
  int write = AddWrite(location, address, value, flags | kExclusive, paired->picked);
  incoming_[write].rmw |= Reads{1} << paired->read;
  return write;
}

Word Machine::Modify(const Word &address, int size, uint32_t read_flags, uint32_t write_flags,
                     const Update &update) {
  int location = FindLocation(address.value, size);
  if (location < 0)
    AccessPrivate(address, read_flags | kAtomic);
  int read = AddRead(location, address, read_flags | kAtomic);
  Word old = ReadValue(read);
  if (std::optional<Word> value = update(old)) {
    int write = AddWrite(location, address, *value, write_flags | kAtomic, old.picked);
    incoming_[write].rmw |= Reads{1} << read;
  }
  return old;
}

void Machine::Jump(const Word &target) {
  AddControl(target);
  jumped_ = true;
  jumped_back_ = target.value <= pc;
  pc = target.value;
}

void Machine::Branch(const Word &condition, uint64_t target) {
  AddControl(condition);
  if (condition.value)
    Jump({target});
}

// At the beginning of a loop: where a path has jumped back to.
bool Machine::IsToFollow() {
  if (jumped_back_ ? ++jumps_ > most_jumps_ : !notes_.Knows(pc))
    return !jumped_back_;
  const Live &live = notes_.At(pc);
  if (arrivals_->IsCovered({*this, events_, incoming_, choices_->Answers(), jumps_, steps_},
                           live)) {
    notes_.Cut(pc);
    return false;
  }
  notes_.Arrive(pc);
  return true;
}

bool Machine::Run(uint64_t end, const Step &step) {
  while (pc != kReturnAddress && (!end || pc != end)) {
    if (!IsToFollow())
      return false;
    auto instruction = image_.code.find(pc);
    if (instruction == image_.code.end())
      Fail("a jump to " + Hexadecimal(pc) + ", where there is no code");
    current_ = &instruction->second;
    if (++steps_ > kMaxSteps)
      Fail("the thread has not ended after " + std::to_string(kMaxSteps) + " instructions");
    jumped_ = jumped_back_ = false;
    step(*this, *current_);
    predicate_ = 0;
    if (cut_)
      return false;
    if (!jumped_)
      pc += current_->size;
  }
  return true;
}

Value Machine::ReadResult(uint64_t address) {
  uint64_t value = 0;
  for (int i = 0; i < 4; i++)
    value |= LoadByte(address + i).value << (8 * i);
  return SignExtend(value, 32);
}

Trace Machine::MakeTrace() const {
  Trace trace;
  trace.events = events_;
  for (size_t i = 0; i < events_.size(); i++) {
    AddEdges(incoming_[i].addr, i, &trace.addr);
    AddEdges(incoming_[i].data, i, &trace.data);
    AddEdges(incoming_[i].ctrl, i, &trace.ctrl);
    AddEdges(incoming_[i].rmw, i, &trace.rmw);
  }
  return trace;
}

} // namespace heddle::litmus::hardware
