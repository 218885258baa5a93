// liburcu's tests measure for seconds at least. Milliseconds are enough to see whether they hold.
#include <unistd.h>
#define sleep(seconds) usleep(2000 * (seconds))
