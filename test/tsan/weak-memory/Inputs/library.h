#include <atomic>
extern "C" {
std::atomic<int> *LibraryLocation();
void LibraryStore(int value, std::memory_order order);
int LibraryLoad(std::memory_order order);
}
