// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/validity/issue.hpp>

namespace ridge::validity {

// Returns every known issue, by category in print order. The table is the only place that states them.
[[nodiscard]] std::span<const issue> issues();

// Returns the issues whose id or category is among `wanted`, in the order of the table; all of them when it
// is empty. A category is named by its words or by one of them ("memory"). An unknown word is an error that
// suggests the nearest one.
[[nodiscard]] result<std::vector<issue>> select(std::span<const std::string> wanted);

// How many issues there are, by what Ridge does about them.
struct tally {
  std::size_t checked = 0, prevented = 0, open = 0, not_applicable = 0;
  std::size_t proved = 0;  // of those checked or prevented
};
// Counts the issues of a list.
[[nodiscard]] tally count(std::span<const issue> list);

// Returns the keys of the two catalogues that the table has to answer: those of attacks (T1..T20, O1..O15,
// C1..C12, with the gates, audits and seeded faults beside them) and aipe-1..aipe-95.
[[nodiscard]] std::vector<std::string> catalogue_keys();

}  // namespace ridge::validity
