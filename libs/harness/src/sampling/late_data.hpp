// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include <ridge/base/splitmix.hpp>
#include <ridge/device/device.hpp>

#include "sampling/round_members.hpp"

namespace ridge::harness {

// Keeps the data of a round from whoever reads them before the marks of a sample. Pieces of some inputs,
// drawn each time, hold other pieces of the same arrays while the calls are enqueued, and are put back on the
// queue right before the first mark: what was computed ahead, on another stream or on the host, is then
// wrong. Inputs that the host fills as a whole, or that lie in pageable memory, stay as they are.
// Between two calls all inputs can be exchanged.
class late_data {
 public:
  // References its arguments.
  late_data(device::device& device, round_members& members);

  // Draws the pieces and hides them; waits for the queue, so that nobody sees what they hold. They belong to
  // the first member of the round and to another one that is used.
  void hide();
  // Enqueue: put the pieces back, and hide them again.
  void show();
  void hide_again();

  // Makes room for the inputs of a member; false where that is too much, or no other member has other data.
  // Call it while nothing is held.
  [[nodiscard]] bool make_room_for_all();
  // Enqueue, once there is room: give the first member of the round the inputs of another member, all of
  // them, and its own again.
  void hide_all();
  void show_all();

 private:
  struct piece {
    std::span<std::byte> place{}, other{};  // in the array, and elsewhere in it
    std::span<std::byte> kept{}, decoy{};   // on the shelf: what the two hold
  };
  // Calls `exchange` with each input of the first member, the same of another one, and room for it.
  void with_all_inputs(const std::function<void(std::span<std::byte> own, std::span<std::byte> other,
                                                std::span<std::byte> room)>& exchange);
  void draw_pieces();
  void draw_pieces_of(const member& drawn);

  device::device& device_;
  round_members& members_;
  splitmix_generator lots_;
  std::vector<piece> pieces_{};
  std::unique_ptr<device::array> shelf_{}, whole_shelf_{};
  bool hidden_ = false;
};

}  // namespace ridge::harness
