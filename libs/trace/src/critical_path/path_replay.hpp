// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "critical_path/path_pieces.hpp"

namespace ridge::trace {

// Returns all pieces, each after those that it waited for.
[[nodiscard]] std::vector<piece_id> replay_order(const path_pieces& pieces);

// The edge into a piece that was the last to be fulfilled, and how long after it the piece began.
struct binding_edge {
  piece_id predecessor = none;
  path_edge why = path_edge::window_start;
  nanoseconds delay_ns = 0;
};
[[nodiscard]] binding_edge binding_of(const path_pieces& pieces, const piece& p);

// Returns what a piece's delay was spent on.
[[nodiscard]] path_class class_of_delay(const piece& p, const binding_edge& edge);

// A segment and the thread that it ran on (`none`: not host work).
struct walked_segment {
  path_segment segment{};
  std::uint32_t thread = none;
};
// Returns the piece that ends last, device work before host work; `none` without pieces.
[[nodiscard]] piece_id last_piece(const path_pieces& pieces);

// Walks from the window's end back over binding edges. Returns the segments in order of time; host work is
// not yet divided by event.
[[nodiscard]] std::vector<walked_segment> walk_back(const path_pieces& pieces);

[[nodiscard]] path_slack slack_of(const trace& t, const path_pieces& pieces, std::span<const piece_id> order);
[[nodiscard]] path_outcome replay(const trace& t, const path_pieces& pieces, std::span<const piece_id> order,
                                  std::span<const path_change> changes);

}  // namespace ridge::trace
