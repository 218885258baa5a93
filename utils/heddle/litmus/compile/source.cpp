#include "source.h"

#include "../emit_c.h"

namespace heddle::litmus::compile {

std::string PrefixOf(size_t number) { return "t" + std::to_string(number) + "_"; }

std::string ThreadName(const std::string &prefix, int thread) {
  return prefix + "P" + std::to_string(thread);
}

std::string BatchSource(const std::vector<const Program *> &programs) {
  std::string text = "#include <stdatomic.h>\n\n";
  for (size_t i = 0; i < programs.size(); i++)
    text += EmitCGlobals(*programs[i], PrefixOf(i)) + "\n";
  return text + "void _start(void) {}\n"
                "unsigned long __getauxval(unsigned long type) { return type - type; }\n";
}

} // namespace heddle::litmus::compile
