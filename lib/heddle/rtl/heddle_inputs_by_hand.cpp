//===-- heddle_inputs_by_hand.cpp - Calls that a row cannot describe ------===//
//
// Part of Heddle, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Children are created in a replay too: what they leave in files is not in the demo. The
// program is told the number that the child had in the recording, and how that one ended.
//
// What the library finds out about names it finds out by calls of its own, which do not
// count: see Whole.
//
//===----------------------------------------------------------------------===//

#include "heddle/rtl/heddle_inputs.h"
#include "heddle/rtl/heddle_timestamps.h"
#include "sanitizer_common/sanitizer_libc.h"
#include "tsan_mman.h"
#include "tsan_rtl.h"

#include <netdb.h>

using namespace __sanitizer;
using namespace __tsan;

namespace __heddle {

//===-- Children ----------------------------------------------------------===//

extern int (*real_fork)(int);
int input_fork(int unused) {
  return ThroughBoth<int>(
      kInput_fork, [&] { return real_fork(unused); },
      [](auto &io, int child, int real) { io.Child(child, real); });
}

namespace {

using Spawn = int(int *, const char *, const void *, const void *, char *const *, char *const *);

template <class Real> int ThroughSpawn(InputCall call, int *process, Real real) {
  int child = 0;
  const int result = ThroughBoth<int>(
      call, [&] { return real(&child); },
      [&](auto &io, int result, int) {
        if (result)
          return;
        const int real_child = child;
        io.Value(&child);
        io.Child(child, real_child);
      });
  if (!result && process)
    *process = child;
  return result;
}

} // namespace

extern Spawn *real_posix_spawn, *real_posix_spawnp;
int input_posix_spawn(int *process, const char *path, const void *actions, const void *attributes,
                      char *const *arguments, char *const *environment) {
  return ThroughSpawn(kInput_posix_spawn, process, [&](int *child) {
    TimestampsForOthers others;
    return real_posix_spawn(child, path, actions, attributes, arguments, environment);
  });
}
int input_posix_spawnp(int *process, const char *path, const void *actions, const void *attributes,
                       char *const *arguments, char *const *environment) {
  return ThroughSpawn(kInput_posix_spawnp, process, [&](int *child) {
    TimestampsForOthers others;
    return real_posix_spawnp(child, path, actions, attributes, arguments, environment);
  });
}

//===-- Names -------------------------------------------------------------===//

namespace {

// The program frees it.
void *AllocateForProgram(uptr size) {
  return user_alloc(cur_thread(), StackTrace::GetCurrentPc(), size);
}

// A text that may be missing. In a replay it is made.
void Text(InputRecorder &io, char **text) {
  u32 size = *text ? u32(internal_strlen(*text)) + 1 : 0;
  io.Value(&size);
  io.Bytes(*text, size);
}
void Text(InputPlayer &io, char **text) {
  u32 size = 0;
  io.Value(&size);
  *text = size ? static_cast<char *>(AllocateForProgram(size)) : nullptr;
  io.Bytes(*text, size);
}

// Into the program's own memory.
template <class Io> void TextInto(Io &io, char *text, u32 room) {
  if (!text || !room)
    return;
  u32 size = u32(internal_strnlen(text, room - 1)) + 1;
  io.Value(&size);
  io.Bytes(text, size < room ? size : room);
}

struct AddressHead {
  int flags, family, type, protocol;
  u32 size;
};

void Addresses(InputRecorder &io, addrinfo **found) {
  u32 count = 0;
  for (const addrinfo *each = *found; each; each = each->ai_next)
    count++;
  io.Value(&count);
  for (addrinfo *each = *found; each; each = each->ai_next) {
    AddressHead head = {each->ai_flags, each->ai_family, each->ai_socktype, each->ai_protocol,
                        each->ai_addrlen};
    io.Value(&head);
    io.Bytes(each->ai_addr, head.size);
    Text(io, &each->ai_canonname);
  }
}

// As freeaddrinfo expects it: the address in one piece with its entry.
void Addresses(InputPlayer &io, addrinfo **found) {
  u32 count = 0;
  io.Value(&count);
  for (addrinfo **end = found; count; count--, end = &(*end)->ai_next) {
    AddressHead head;
    io.Value(&head);
    auto *entry = static_cast<addrinfo *>(AllocateForProgram(sizeof(addrinfo) + head.size));
    auto *address = reinterpret_cast<sockaddr *>(entry + 1);
    io.Bytes(address, head.size);
    *entry = {head.flags, head.family, head.type, head.protocol,
              head.size,  address,     nullptr,   nullptr};
    Text(io, &entry->ai_canonname);
    *end = entry;
  }
}

// A list of texts, or of addresses with so many bytes each, that ends with null.
void List(InputRecorder &io, char ***list, u32 size) {
  u32 count = 0;
  while (*list && (*list)[count])
    count++;
  io.Value(&count);
  for (u32 i = 0; i < count; i++) {
    if (size)
      io.Bytes((*list)[i], size);
    else
      Text(io, &(*list)[i]);
  }
}
void List(InputPlayer &io, char ***list, u32 size) {
  u32 count = 0;
  io.Value(&count);
  *list = static_cast<char **>(AllocateForProgram((count + 1) * sizeof(char *)));
  (*list)[count] = nullptr;
  for (u32 i = 0; i < count; i++) {
    if (size) {
      (*list)[i] = static_cast<char *>(AllocateForProgram(size));
      io.Bytes((*list)[i], size);
    } else {
      Text(io, &(*list)[i]);
    }
  }
}

template <class Io> void Host(Io &io, hostent *host) {
  Text(io, &host->h_name);
  io.Value(&host->h_addrtype);
  io.Value(&host->h_length);
  List(io, &host->h_aliases, 0);
  List(io, &host->h_addr_list, u32(host->h_length));
}

} // namespace

extern int (*real_getaddrinfo)(const char *, const char *, const addrinfo *, addrinfo **);
int input_getaddrinfo(const char *node, const char *service, const addrinfo *hints,
                      addrinfo **found) {
  return Through<int>(
      kInput_getaddrinfo, [] { return true; },
      [&] { return Whole([&] { return real_getaddrinfo(node, service, hints, found); }); },
      [&](auto &io, int result) {
        if (!result)
          Addresses(io, found);
      });
}

extern int (*real_getnameinfo)(const void *, u32, char *, u32, char *, u32, int);
int input_getnameinfo(const void *address, u32 size, char *host, u32 host_size, char *service,
                      u32 service_size, int flags) {
  return Through<int>(
      kInput_getnameinfo, [] { return true; },
      [&] {
        return Whole([&] {
          return real_getnameinfo(address, size, host, host_size, service, service_size, flags);
        });
      },
      [&](auto &io, int result) {
        if (result)
          return;
        TextInto(io, host, host_size);
        TextInto(io, service, service_size);
      });
}

// In a replay what it returns is never freed: libc's is not the program's to free either.
extern hostent *(*real_gethostbyname)(const char *);
hostent *input_gethostbyname(const char *name) {
  hostent *host = nullptr;
  const int found = Through<int>(
      kInput_gethostbyname, [] { return true; },
      [&] {
        host = Whole([&] { return real_gethostbyname(name); });
        return host != nullptr;
      },
      [&](auto &io, int result) {
        io.Value(&h_errno);
        if (!result)
          return;
        if (!host)
          host = static_cast<hostent *>(AllocateForProgram(sizeof(hostent)));
        Host(io, host);
      });
  return found ? host : nullptr;
}

} // namespace __heddle
