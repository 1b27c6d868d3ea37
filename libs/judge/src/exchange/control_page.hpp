// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "sandbox/sandbox.hpp"

namespace ridge::judge {

enum class operation : std::uint32_t { start, load, bind, call, finish };

// The page that the judge shares with one runner. A candidate can write all of it: the judge takes no more
// from it than that a runner says it is ready, a text for people, and, before any candidate was loaded, what
// the sandbox is.
struct control_page {
  std::atomic<std::uint32_t> request{0};   // number of the request; the judge writes it
  std::atomic<std::uint32_t> answered{0};  // number of the last request that is done
  operation wanted{operation::start};
  std::uint64_t first = 0, count = 0;  // members of the request
  std::int32_t failed = 0;             // the runner: not 0 where the request failed, and why
  std::array<char, 240> message{};
  sandbox_report sandbox{};
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

}  // namespace ridge::judge
