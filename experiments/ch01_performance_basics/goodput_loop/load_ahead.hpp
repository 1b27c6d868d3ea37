// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "hand_over.hpp"
#include "window_loader.hpp"

namespace ridge::experiments::ch01_goodput_loop {

// The loading thread of an epoch: fills two slots in turn, and announces the window after to the kernel.
inline void load_ahead(const workload& w, window_loader& loader, std::array<window_slot, 2>& slots,
                       ch01_hand_over::hand_over& in_turn) {
  ch01_hand_over::stop_on_failure guard(in_turn);
  const record_file file(w);
  const auto order = loader.begin_epoch(w);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i + 1 < order.size()) file.expect_window(order[i + 1]);
    if (!in_turn.wait_for_free()) return;
    loader.load(w, file, order[i], slots[in_turn.free_slot()], [](phase p) { return p; });
    in_turn.publish();
  }
  guard.done();
}

}  // namespace ridge::experiments::ch01_goodput_loop
