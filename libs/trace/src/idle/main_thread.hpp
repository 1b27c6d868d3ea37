// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// Returns the thread that launched most of a device's work, or the thread with most events where no launch is
// in the trace; `none` where there is no thread.
[[nodiscard]] track_id main_thread_of(const trace& t, std::int32_t device);

}  // namespace ridge::trace
