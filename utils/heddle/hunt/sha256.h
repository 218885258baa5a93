// HMAC-SHA-256 (RFC 2104, FIPS 180-4), for the marks of mark.h. It is here so that the command
// needs no library of cryptography for one function.
#ifndef HEDDLE_HUNT_SHA256_H
#define HEDDLE_HUNT_SHA256_H

#include <string>
#include <string_view>

namespace heddle::hunt {

// 32 bytes.
std::string Sha256(std::string_view message);
std::string HmacSha256(std::string_view key, std::string_view message);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_SHA256_H
