// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "critical_path/path_pieces.hpp"

namespace ridge::trace {

// Makes the pieces of device work and links them in the order of their streams. A piece ends where its
// stream's next one begins, if that is earlier: overlaps within a stream are dependent launches, or durations
// that cannot be true.
void make_device_pieces(const trace& t, std::span<const work_class> classes, path_pieces& pieces);

// Links work that began later than `from_ns` after everything that it is known to have waited for to the work
// of its device that ended last before it.
void infer_stream_waits(const trace& t, nanoseconds from_ns, path_pieces& pieces);

}  // namespace ridge::trace
