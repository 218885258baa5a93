#include "count.h"

static int count __attribute__((aligned(8)));

int count_up(void) { return ++count; }
