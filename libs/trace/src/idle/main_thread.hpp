// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// The thread that launched most of a device's work; where no launch is in the trace, the thread with most
// events. `none`: there is no thread.
[[nodiscard]] track_id main_thread_of(const trace& t, std::int32_t device);

}  // namespace ridge::trace
