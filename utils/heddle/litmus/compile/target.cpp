#include "target.h"

namespace heddle::litmus::compile {

const std::vector<Target> &Targets() {
  using hardware::Architecture;
  constexpr const char *kArm64 = "aarch64-linux-gnu", *kArm = "arm-linux-gnueabihf",
                       *kRiscV = "riscv64-linux-gnu";
  constexpr const char *kArm64Gcc = "aarch64-linux-gnu-gcc", *kArmGcc = "arm-linux-gnueabihf-gcc";
  static const std::vector<Target> targets = {
      {"aarch64",
       Architecture::kAArch64,
       kArm64,
       kArm64Gcc,
       {"-march=armv8-a", "-mno-outline-atomics"}},
      {"aarch64-lse",
       Architecture::kAArch64,
       kArm64,
       kArm64Gcc,
       {"-march=armv8.1-a", "-mno-outline-atomics"}},
      // Armv8.3 has loads that acquire less (ldapr).
      {"aarch64-rcpc",
       Architecture::kAArch64,
       kArm64,
       kArm64Gcc,
       {"-march=armv8.3-a", "-mno-outline-atomics"}},
      {"aarch64-outline",
       Architecture::kAArch64,
       kArm64,
       kArm64Gcc,
       {"-march=armv8-a", "-moutline-atomics"},
       0},
      {"aarch64-outline-lse",
       Architecture::kAArch64,
       kArm64,
       kArm64Gcc,
       {"-march=armv8-a", "-moutline-atomics"},
       1},
      {"armv7", Architecture::kArm, kArm, kArmGcc, {"-march=armv7-a+fp", "-marm"}},
      {"armv7-thumb", Architecture::kArm, kArm, kArmGcc, {"-march=armv7-a+fp", "-mthumb"}},
      {"riscv64", Architecture::kRiscV, kRiscV, "riscv64-linux-gnu-gcc", {"-march=rv64gc"}},
      {"x86-64", Architecture::kX86, "x86_64-linux-gnu", "x86_64-linux-gnu-gcc", {}},
  };
  return targets;
}

const Target *FindTarget(const std::string &name) {
  for (const Target &target : Targets())
    if (target.name == name)
      return &target;
  return nullptr;
}

} // namespace heddle::litmus::compile
