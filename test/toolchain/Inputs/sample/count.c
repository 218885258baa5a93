#include "count.h"

static int count;

int count_up(void) { return ++count; }
