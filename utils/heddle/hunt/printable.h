// Text from files and programs, made fit for a terminal: such text may hold anything, and terminals
// obey some of it.
#ifndef HEDDLE_HUNT_PRINTABLE_H
#define HEDDLE_HUNT_PRINTABLE_H

#include <string>
#include <string_view>

namespace heddle::hunt {

// How many bytes the character of UTF-8 at `at` has; 0 if none begins there.
size_t CharacterAt(std::string_view text, size_t at);

// Control characters, bytes that are no UTF-8, and characters that change the direction of writing
// become \x and two digits a byte. What is left is one line.
std::string Printable(std::string_view text);
// Likewise, but lines and tabs stay.
std::string PrintableLines(std::string_view text);

} // namespace heddle::hunt

#endif // HEDDLE_HUNT_PRINTABLE_H
