#pragma once

#ifdef __cplusplus
extern "C" {
#endif

// Returns how often it has been called. Not thread-safe.
int count_up(void);

#ifdef __cplusplus
}
#endif
