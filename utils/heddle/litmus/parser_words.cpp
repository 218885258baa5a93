// Tables of words with their reasons, and how near two names are.
#include "parser_words.h"

#include "../edit_distance.h"
#include "lexer.h"

#include <algorithm>
#include <utility>

namespace heddle::litmus {
namespace {

struct Unsupported {
  std::string_view text, reason;
};
constexpr Unsupported kUnsupportedStatements[] = {
    {"while", "loops are not supported, so that every execution is finite"},
    {"for", "loops are not supported, so that every execution is finite"},
    {"do", "loops are not supported, so that every execution is finite"},
    {"goto", "'goto' is not supported"},
    {"break", "'break' is not supported"},
    {"continue", "'continue' is not supported"},
    {"switch", "'switch' is not supported; use 'if'"},
    {"return", "'return' is not supported; use 'if'"},
};
constexpr Unsupported kUnsupportedOperators[] = {
    {"/", "division is not supported"},
    {"%", "division is not supported"},
    {"<<", "shifts are not supported"},
    {">>", "shifts are not supported"},
    {"?", "the conditional operator is not supported; use 'if'"},
    {"++", "'++' is not supported; write 'r = r + 1'"},
    {"--", "'--' is not supported; write 'r = r - 1', or '- -1'"},
    {"->", "structures are not supported"},
    {".", "structures are not supported"},
    {"[", "arrays are not supported"},
    {"+=", "compound assignment is not supported; write 'r = r + ...'"},
    {"-=", "compound assignment is not supported; write 'r = r - ...'"},
    {"*=", "compound assignment is not supported; write 'r = r * ...'"},
    {"&=", "compound assignment is not supported; write 'r = r & ...'"},
    {"|=", "compound assignment is not supported; write 'r = r | ...'"},
    {"^=", "compound assignment is not supported; write 'r = r ^ ...'"},
    {"/=", "division is not supported"},
    {"%=", "division is not supported"},
    {"<<=", "shifts are not supported"},
    {">>=", "shifts are not supported"},
};
// One reason for several words.
constexpr std::string_view kMutexes =
    "tests have no mutexes; write a lock with atomic_compare_exchange_strong";
constexpr std::string_view kLinux =
    "it is the Linux kernel's, whose memory model is another than C's";
constexpr Unsupported kUnsupportedFunctions[] = {
    {"atomic_init", "set initial values in the block before P0"},
    {"atomic_signal_fence", "it orders nothing between threads"},
    {"lock", kMutexes},
    {"unlock", kMutexes},
    {"mtx_lock", kMutexes},
    {"mtx_unlock", kMutexes},
    {"READ_ONCE", kLinux},
    {"WRITE_ONCE", kLinux},
    {"smp_load_acquire", kLinux},
    {"smp_store_release", kLinux},
    {"smp_mb", kLinux},
    {"smp_rmb", kLinux},
    {"smp_wmb", kLinux},
    {"spin_lock", kLinux},
    {"spin_unlock", kLinux},
    {"rcu_read_lock", kLinux},
    {"rcu_read_unlock", kLinux},
    {"rcu_dereference", kLinux},
    {"rcu_assign_pointer", kLinux},
    {"synchronize_rcu", kLinux},
    {"xchg", kLinux},
    {"cmpxchg", kLinux},
    {"atomic_add_unless", kLinux},
};
constexpr std::string_view kNotNumbers = "registers and locations are integers";
constexpr std::string_view kTooWide = "registers and locations have 64 bits at most";
constexpr Unsupported kUnsupportedTypes[] = {
    {"bool", "registers and locations are integers; write 'int'"},
    {"_Bool", "registers and locations are integers; write 'int'"},
    {"atomic_bool", "registers and locations are integers; write 'atomic_int'"},
    {"float", kNotNumbers},
    {"double", kNotNumbers},
    {"struct", kNotNumbers},
    {"union", kNotNumbers},
    {"enum", kNotNumbers},
    {"auto", kNotNumbers},
    {"void", kNotNumbers},
    {"__int128", kTooWide},
    {"__int128_t", kTooWide},
    {"__uint128_t", kTooWide},
    {"mtx_t", kMutexes},
    {"spinlock_t", kLinux},
    {"atomic_t", kLinux},
};
// All are the same here: 64 bits with a sign.
constexpr std::string_view kIntegerTypes[] = {
    "char",     "short",    "int",      "long",     "signed",   "unsigned",
    "int8_t",   "int16_t",  "int32_t",  "int64_t",  "size_t",   "uint8_t",
    "uint16_t", "uint32_t", "uint64_t", "intptr_t", "uintptr_t"};
constexpr std::string_view kAtomicTypes[] = {
    "atomic_char",   "atomic_schar",  "atomic_uchar",    "atomic_short",    "atomic_ushort",
    "atomic_int",    "atomic_uint",   "atomic_long",     "atomic_ulong",    "atomic_llong",
    "atomic_ullong", "atomic_size_t", "atomic_intptr_t", "atomic_uintptr_t"};
constexpr std::string_view kQualifiers[] = {"_Atomic", "const", "volatile"};

template <class T, size_t N> bool Contains(const T (&list)[N], std::string_view text) {
  return std::find(std::begin(list), std::end(list), text) != std::end(list);
}

template <size_t N> std::string_view ReasonIn(const Unsupported (&list)[N], std::string_view text) {
  for (const Unsupported &unsupported : list)
    if (unsupported.text == text)
      return unsupported.reason;
  return {};
}

} // namespace

bool IsIntegerType(std::string_view text) { return Contains(kIntegerTypes, text); }

bool IsAtomicType(std::string_view text) { return Contains(kAtomicTypes, text); }

bool IsTypeWord(std::string_view text) {
  return IsIntegerType(text) || IsAtomicType(text) || Contains(kQualifiers, text) ||
         !WhyUnsupportedType(text).empty();
}

bool IsKeyword(std::string_view text) {
  return text == "if" || text == "else" || IsTypeWord(text) ||
         !WhyUnsupportedStatement(text).empty();
}

std::string_view WhyUnsupportedStatement(std::string_view text) {
  return ReasonIn(kUnsupportedStatements, text);
}

std::string_view WhyUnsupportedType(std::string_view text) {
  return ReasonIn(kUnsupportedTypes, text);
}

std::string_view WhyUnsupportedOperator(std::string_view text) {
  return ReasonIn(kUnsupportedOperators, text);
}

std::string_view WhyUnsupportedFunction(std::string_view text) {
  return ReasonIn(kUnsupportedFunctions, text);
}

std::string Similar(std::string_view name, const std::vector<std::string> &candidates) {
  if (name.size() > 64)
    return {};
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string &candidate : candidates) {
    size_t distance = EditDistance(name, candidate);
    if (distance <= std::max<size_t>(1, candidate.size() / 4))
      near.push_back({distance, candidate});
  }
  std::sort(near.begin(), near.end());
  if (near.size() > 3)
    near.resize(3);
  std::string text;
  for (const auto &[distance, candidate] : near)
    text += (text.empty() ? "; did you mean " : ", ") + Quote(candidate);
  return text.empty() ? text : text + "?";
}

} // namespace heddle::litmus
