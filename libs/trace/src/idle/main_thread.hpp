// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// Returns the thread that launched most of a device's work; `none` where no launch is in the trace.
[[nodiscard]] track_id launching_thread_of(const trace& t, std::int32_t device);
// Returns the thread with most events; `none` where there is no thread.
[[nodiscard]] track_id busiest_thread_of(const trace& t);

}  // namespace ridge::trace
