// Defines a function of C11's threads, which Heddle's runtime intercepts.

#include <thread>

struct Condition;
struct Mutex;
struct timespec;

extern "C" int cnd_timedwait(Condition *, Mutex *, const timespec *) { return 0; }

int main() { std::thread([] {}).join(); }
