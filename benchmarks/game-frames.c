//===-- game-frames.c - Frames of a game, counted -------------------------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Linked into a program that uses SDL, with -Wl,--wrap=: the two functions by which a picture
// comes to the window. Each hundredth frame has a line with a hash of all pictures so far, so that
// what a replay shows can be compared with what was recorded. After GAME_SECONDS seconds, by the
// clock that the game has, the game exits.
//
//===----------------------------------------------------------------------===//

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kRows = 200 }; // of the texture

static uint64_t hash = 14695981039346656037u;
static unsigned long frames;
static time_t began;

static time_t Now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

// Weak: CMake tries the flags on a program that has neither.
__attribute__((weak)) int __real_SDL_UpdateTexture(void *texture, const void *part,
                                                   const void *pixels, int pitch);
int __wrap_SDL_UpdateTexture(void *texture, const void *part, const void *pixels, int pitch) {
  const uint64_t *words = pixels;
  for (long i = 0; i < (long)kRows * pitch / 8; i++)
    hash = (hash ^ words[i]) * 1099511628211u;
  return __real_SDL_UpdateTexture(texture, part, pixels, pitch);
}

__attribute__((weak)) void __real_SDL_RenderPresent(void *renderer);
void __wrap_SDL_RenderPresent(void *renderer) {
  static const char *seconds;
  __real_SDL_RenderPresent(renderer);
  if (!frames) {
    seconds = getenv("GAME_SECONDS");
    began = Now();
  }
  const int last = seconds && Now() - began >= atol(seconds);
  if (++frames % 100 == 0 || last) {
    printf("frame %lu %016llx\n", frames, (unsigned long long)hash);
    fflush(stdout);
  }
  if (last)
    exit(0);
}
