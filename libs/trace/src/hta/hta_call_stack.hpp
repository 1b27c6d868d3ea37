// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hta/hta_rows.hpp"

namespace ridge::trace {

// A host event in HTA's call stack of its thread: frames of the interpreter and operators stand in one stack.
struct hta_frame {
  event_id event = none;
  time_range range{};
  std::int64_t depth = 0;
  std::size_t thread = 0;  // threads are numbered by process and thread
  std::size_t end = 0;     // the frames below it are those from its own place + 1 to here
};

// Returns the frames of all threads, each thread's in one run, parents before what they call. Where exactly
// one thread holds ProfilerSteps and exactly one other "autograd::", the outermost frames of the other one
// lie below the "## backward ##" or else the ProfilerStep that holds them: their depths count from there.
[[nodiscard]] std::vector<hta_frame> hta_call_stacks(const trace& t, const hta_rows& rows,
                                                     const hta_options& options);

}  // namespace ridge::trace
