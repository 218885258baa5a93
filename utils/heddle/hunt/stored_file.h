// Files of findings and demos. These directories come from anywhere: a name in them may be a link
// to any file, a pipe whose opening waits for ever, or a device without an end. So only regular
// files are read and written, links are not followed, and no more is read than a file may have.
// What is written is for the user alone: it has what a program read, and its environment.
#ifndef HEDDLE_HUNT_STORED_FILE_H
#define HEDDLE_HUNT_STORED_FILE_H

#include <cstddef>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace heddle::hunt {

constexpr size_t kMostStored = size_t(256) << 20; // bytes that a file may have

// Throws Failure if it is no regular file, has more than `most` bytes, or cannot be read.
std::string ReadStored(const std::string &path, size_t most = kMostStored);
// Throws Failure where ReadStored would, but reads nothing.
void CheckStored(const std::string &path, size_t most = kMostStored);
// Replaces what has that name; what it links to stays as it is. Throws Failure.
void WriteStored(const std::string &path, std::string_view content, mode_t mode = 0600);

// Whether something has that name, a link that leads nowhere included.
bool IsThere(const std::string &path);
// These are false of a link.
bool IsStoredFile(const std::string &path);
bool IsStoredDirectory(const std::string &path);

// Whether it can be the name of a file in any directory, and in a line of text: no slash, no dot at
// its beginning, no control characters, and not too long.
bool IsGoodName(const std::string &name);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_STORED_FILE_H
