// Which instruction set this processor has, by name.
#pragma once

#include <string>
#include <vector>

namespace prunus {

/// The sets that the module was built for and that this processor has, the oldest first.
const std::vector<std::string>& supported_sets();

/// Chooses the set by name; throws std::invalid_argument if it is not one of those supported.
void choose_set(const std::string& name);

}  // namespace prunus
