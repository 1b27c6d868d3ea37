// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/interval_set.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// Returns the deepest frame of the interpreter, or else operator, that one thread has open for most of the
// range (more than half of it): what a reader would call the thing that the host did. `none` where no single
// one is open that long.
[[nodiscard]] event_id dominant_event(const trace& t, track_id thread, time_range range);

// Returns the deepest function that most of the samples of one thread in the range are in, by their weights:
// the name that a C++ program gives to what it did there. 0 where fewer than three samples lie in it.
[[nodiscard]] name_id dominant_function(const trace& t, track_id thread, time_range range);

}  // namespace ridge::trace
