// What herd7 prints about a test, for comparing its states with ours.
#ifndef HEDDLE_LITMUS_HARDWARE_HERD_H
#define HEDDLE_LITMUS_HARDWARE_HERD_H

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace heddle::litmus::hardware {

// "0:X0=1" and so on; in a set, since herd lists what is observed in another order.
using HerdState = std::set<std::string>;
using HerdStates = std::set<HerdState>;

// "0:X0=1; [x]=2;", with or without the brackets around a location.
HerdState SplitState(std::string_view line);

// The states that follow the line "States N", or nothing if there are none such.
std::optional<HerdStates> ParseHerdStates(std::string_view output);

// Which states only one side has, a line each. Empty if the sets are the same.
std::string DescribeDifference(const HerdStates &ours, const HerdStates &theirs);

} // namespace heddle::litmus::hardware

#endif // HEDDLE_LITMUS_HARDWARE_HERD_H
