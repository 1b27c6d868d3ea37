// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include <ridge/harness/work.hpp>

#include "exchange/assignment.hpp"

namespace ridge::judge {

// Describes the first element in which what two arms wrote for the same data differs by more than twice the
// tolerance (exactly: in any bit), over the first `members` members; empty where they agree. Both spans are
// copies of the memory of outputs, or its beginning.
[[nodiscard]] std::string disagreement(const assignment& given, std::size_t members,
                                       std::span<const std::byte> candidate,
                                       std::span<const std::byte> baseline, tolerance within);

// The same of one member, of which both spans are copies.
[[nodiscard]] std::string member_disagreement(const assignment& given, std::size_t member,
                                              std::span<const std::byte> candidate,
                                              std::span<const std::byte> baseline, tolerance within);

}  // namespace ridge::judge
