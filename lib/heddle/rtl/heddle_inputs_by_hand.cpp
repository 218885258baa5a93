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
#include "heddle/rtl/heddle_name_services.h"
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
      kInput_fork,
      [&] {
        const int child = real_fork(unused);
        if (child)
          OrderAfterFork(child);
        return child;
      },
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

//===-- Temporary directories ---------------------------------------------===//

extern char *(*real_mkdtemp)(char *);
char *input_mkdtemp(char *name) {
  const int result = Through<int>(
      kInput_mkdtemp, [] { return true; }, [&] { return real_mkdtemp(name) ? 0 : -1; },
      [&](auto &io, int result) {
        io.Named(result, name);
        io.CreateDirectory(result, name);
      });
  return result ? nullptr : name;
}

//===-- Names -------------------------------------------------------------===//

namespace {

// What the library has found is turned into bytes, and these into what the program gets, when the
// thread is back. A recording does as a replay does: the program's heap is the same in both.

void PushBytes(Bytes &bytes, const void *data, uptr size) {
  PushNumber(bytes, size);
  if (size)
    bytes.Append(static_cast<const u8 *>(data), size);
}

// A text that may be missing.
void PushText(Bytes &bytes, const char *text) {
  PushBytes(bytes, text, text ? internal_strlen(text) + 1 : 0);
}

// The program frees it.
void *AllocateForProgram(uptr size) {
  return user_alloc(cur_thread(), StackTrace::GetCurrentPc(), size);
}

// What the demo has is no larger than what was recorded.
ByteSpan TakeBytes(ByteReader &reader) { return reader.Bytes(~uptr(0) >> 1); }

char *TakeForProgram(ByteReader &reader) {
  const ByteSpan bytes = TakeBytes(reader);
  if (!bytes.size)
    return nullptr;
  auto *copy = static_cast<char *>(AllocateForProgram(bytes.size));
  internal_memcpy(copy, bytes.data, bytes.size);
  return copy;
}

void PushAddresses(Bytes &bytes, const addrinfo *list) {
  for (const addrinfo *each = list; each; each = each->ai_next) {
    PushSigned(bytes, each->ai_flags);
    PushSigned(bytes, each->ai_family);
    PushSigned(bytes, each->ai_socktype);
    PushSigned(bytes, each->ai_protocol);
    PushBytes(bytes, each->ai_addr, each->ai_addrlen);
    PushText(bytes, each->ai_canonname);
  }
}

// As freeaddrinfo expects it: the address in one piece with its entry.
addrinfo *TakeAddresses(const Bytes &bytes) {
  addrinfo *list = nullptr, **end = &list;
  for (ByteReader reader(bytes.Data(), bytes.Size()); !reader.AtEnd(); end = &(*end)->ai_next) {
    const int flags = int(reader.Signed()), family = int(reader.Signed());
    const int type = int(reader.Signed()), protocol = int(reader.Signed());
    const ByteSpan address = TakeBytes(reader);
    auto *entry = static_cast<addrinfo *>(AllocateForProgram(sizeof(addrinfo) + address.size));
    auto *place = reinterpret_cast<sockaddr *>(entry + 1);
    internal_memcpy(place, address.data, address.size);
    *entry = {flags, family, type, protocol, u32(address.size), place, nullptr, nullptr};
    entry->ai_canonname = TakeForProgram(reader);
    *end = entry;
  }
  return list;
}

// A list that ends with null, of texts, or of addresses with so many bytes each.
void PushList(Bytes &bytes, char **list, uptr size) {
  uptr count = 0;
  while (list && list[count])
    count++;
  PushNumber(bytes, count);
  for (uptr i = 0; i < count; i++)
    size ? PushBytes(bytes, list[i], size) : PushText(bytes, list[i]);
}

char **TakeList(ByteReader &reader) {
  const uptr count = uptr(reader.Number(1 << 20));
  auto **list = static_cast<char **>(AllocateForProgram((count + 1) * sizeof(char *)));
  for (uptr i = 0; i < count; i++)
    list[i] = TakeForProgram(reader);
  list[count] = nullptr;
  return list;
}

void PushHost(Bytes &bytes, const hostent *host) {
  PushText(bytes, host->h_name);
  PushSigned(bytes, host->h_addrtype);
  PushSigned(bytes, host->h_length);
  PushList(bytes, host->h_aliases, 0);
  PushList(bytes, host->h_addr_list, uptr(host->h_length));
}

// Never freed: libc's is not the program's to free either.
hostent *TakeHost(const Bytes &bytes) {
  auto *host = static_cast<hostent *>(AllocateForProgram(sizeof(hostent)));
  ByteReader reader(bytes.Data(), bytes.Size());
  host->h_name = TakeForProgram(reader);
  host->h_addrtype = int(reader.Signed());
  host->h_length = int(reader.Signed());
  host->h_aliases = TakeList(reader);
  host->h_addr_list = TakeList(reader);
  return host;
}

// Into the program's own memory.
template <class Io> void TextInto(Io &io, char *text, u32 room) {
  if (!text || !room)
    return;
  u32 size = u32(internal_strnlen(text, room - 1)) + 1;
  io.Value(&size);
  io.Bytes(text, size < room ? size : room);
}

} // namespace

extern int (*real_getaddrinfo)(const char *, const char *, const addrinfo *, addrinfo **);
int input_getaddrinfo(const char *node, const char *service, const addrinfo *hints,
                      addrinfo **found) {
  LoadNameServices();
  Bytes bytes;
  const int result = Through<int>(
      kInput_getaddrinfo, [] { return true; },
      [&] {
        return Whole([&] {
          addrinfo *list = nullptr;
          const int result = real_getaddrinfo(node, service, hints, &list);
          if (!result) {
            PushAddresses(bytes, list);
            freeaddrinfo(list);
          }
          return result;
        });
      },
      [&](auto &io, int result) {
        if (!result)
          io.All(bytes);
      });
  if (!result)
    *found = TakeAddresses(bytes);
  return result;
}

extern int (*real_getnameinfo)(const void *, u32, char *, u32, char *, u32, int);
int input_getnameinfo(const void *address, u32 size, char *host, u32 host_size, char *service,
                      u32 service_size, int flags) {
  LoadNameServices();
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

extern hostent *(*real_gethostbyname)(const char *);
hostent *input_gethostbyname(const char *name) {
  LoadNameServices();
  Bytes bytes;
  const int found = Through<int>(
      kInput_gethostbyname, [] { return true; },
      [&] {
        return Whole([&] {
          const hostent *host = real_gethostbyname(name);
          if (host)
            PushHost(bytes, host);
          return int(host != nullptr);
        });
      },
      [&](auto &io, int result) {
        io.Value(&h_errno);
        if (result)
          io.All(bytes);
      });
  return found ? TakeHost(bytes) : nullptr;
}

} // namespace __heddle
