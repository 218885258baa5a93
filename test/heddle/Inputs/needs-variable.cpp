// Has a bug only if a variable is set, and looks at no other.
#include <cstdlib>
#include <thread>

int main() {
  std::thread([] {}).join();
  const char *value = getenv("NEEDED_VARIABLE");
  return value && *value == 'b' ? 3 : 0;
}
