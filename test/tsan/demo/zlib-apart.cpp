// The runtime has a zlib of its own, which no program notices and which notices none:
// neither one that uses the system's, shared or static, nor one that has functions of
// these names that are something else.
//
// RUN: %clangxx_heddle %s -DUSE_ZLIB -lz -o %t.shared && %expect_clean %t.shared
// RUN: %clangxx_heddle %s -DUSE_ZLIB -l:libz.a -o %t.static && %expect_clean %t.static
// RUN: %clangxx_heddle %s -DUSE_ZLIB -no-pie -l:libz.a -o %t.fixed && %expect_clean %t.fixed
// RUN: %clangxx_heddle %s -DUSE_ZLIB -shared-libsan -lz -o %t.library -Wl,-rpath,%resource_dir/lib/linux && %expect_clean %t.library
// RUN: %clangxx_heddle %s -o %t.others && %expect_clean %t.others

// Neither the archive nor the library has a symbol of these names to offer, and what the
// runtime's zlib needs of others is known.
// RUN: llvm-nm --defined-only --extern-only %resource_dir/lib/linux/libclang_rt.tsan-%arch.a > %t.symbols 2> /dev/null
// RUN: llvm-nm --dynamic --defined-only %resource_dir/lib/linux/libclang_rt.tsan-%arch.so >> %t.symbols
// RUN: grep -q ' __tsan_init$' %t.symbols
// RUN: not grep -E ' [TDBRVW] (z_)?(adler32|crc32|deflate|inflate|_tr_|zcalloc|zcfree|zlibVersion|zError|z_errmsg)' %t.symbols
// RUN: llvm-nm --undefined-only --format=just-symbols %build_dir/zlib/heddle_z_all.o > %t.needs
// RUN: grep -q __sanitizer_internal_memcpy %t.needs
// RUN: not grep -vE '^(__sanitizer_internal_mem(cpy|move|set)|__stack_chk_(fail|guard)|heddle_z_(malloc|free))$' %t.needs
#ifdef USE_ZLIB
#include <string.h>
#include <zlib.h>

static bool ItsOwnWork() {
  static Bytef text[100000], packed[100000], again[100000];
  for (size_t i = 0; i < sizeof(text); i++)
    text[i] = "threads"[i % 7];
  uLongf packed_size = sizeof(packed), again_size = sizeof(again);
  if (compress(packed, &packed_size, text, sizeof(text)) != Z_OK)
    return false;
  if (uncompress(again, &again_size, packed, packed_size) != Z_OK)
    return false;
  return again_size == sizeof(text) && !memcmp(text, again, sizeof(text)) &&
         crc32(0, reinterpret_cast<const Bytef *>("123456789"), 9) == 0xcbf43926;
}
#else
extern "C" {
int deflate() { return 1; }
int inflate() { return 2; }
int deflateInit2_() { return 3; }
int inflateInit2_() { return 4; }
int crc32() { return 5; }
int z_errmsg = 6;
}

static bool ItsOwnWork() {
  return deflate() + inflate() + deflateInit2_() + inflateInit2_() + crc32() + z_errmsg == 21;
}
#endif

int main() { return !ItsOwnWork(); }
