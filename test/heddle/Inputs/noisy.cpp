// Prints bytes that are no text, and fails.
#include <cstdio>
#include <thread>

int main() {
  std::thread other([] {});
  other.join();
  const char bytes[] = "\x01\x02\xff\xc3( <&> ]]> \xf0\x9f\x98\x80 \xed\xa0\x80\n";
  fwrite(bytes, 1, sizeof(bytes), stderr);
  fwrite(bytes, 1, sizeof(bytes), stdout);
  return 4;
}
