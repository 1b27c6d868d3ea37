// SPDX-License-Identifier: Apache-2.0
#include "sampling/late_data.hpp"

#include <algorithm>
#include <array>
#include <random>

namespace ridge::harness {
namespace {

// Small, since what is put in place lies in the cache then.
constexpr std::size_t share_of_array = 64;
constexpr std::size_t most_piece_bytes = std::size_t{64} << 10;
constexpr std::size_t most_arrays_a_member = 2;

constexpr std::size_t most_whole_bytes = std::size_t{512} << 20;
constexpr std::size_t room_alignment = 256;
constexpr std::array in_device_memory{device::placement::ordinary, device::placement::huge_pages};
// A copy to pageable memory would wait for the queue.
constexpr std::array with_late_pieces{device::placement::ordinary, device::placement::huge_pages,
                                      device::placement::pinned};

std::size_t with_room(std::size_t bytes) {
  return (bytes + room_alignment - 1) / room_alignment * room_alignment;
}

bool can_be_hidden(const array_record& a) {
  return a.use == use::in && a.count >= 2 && !std::holds_alternative<filled_by>(a.distribution);
}

}  // namespace

late_data::late_data(device::device& device, round_members& members)
    : device_(device), members_(members), lots_(std::random_device{}()) {}

void late_data::draw_pieces_of(const member& drawn) {
  std::vector<const array_record*> arrays;
  for (const auto& a : drawn.memory.arrays()) {
    if (can_be_hidden(a)) arrays.push_back(&a);
  }
  for (std::size_t i = 0; i < std::min(arrays.size(), most_arrays_a_member); ++i) {
    std::swap(arrays[i], arrays[i + lots_.below(arrays.size() - i)]);
    const auto& a = *arrays[i];
    const auto size = size_of(a.type);
    const auto length = std::max<std::size_t>(std::min(a.count / share_of_array, most_piece_bytes / size), 1);
    const auto first = lots_.below(a.count - length + 1);
    const bool in_lower_half = first < a.count / 2;
    const auto other = in_lower_half ? first + length + lots_.below(a.count - 2 * length - first + 1)
                                     : lots_.below(first - length + 1);
    pieces_.push_back({.place = a.bytes().subspan(first * size, length * size),
                       .other = a.bytes().subspan(other * size, length * size)});
  }
}

void late_data::draw_pieces() {
  pieces_.clear();
  const auto one = members_.first(), another = one + lots_.below(members_.used());
  for (const auto placement : with_late_pieces) {
    if (!members_.has_placement(placement)) continue;
    auto ring = members_.ring(placement);
    draw_pieces_of(ring[one].get());
    if (another != one) draw_pieces_of(ring[another].get());
  }
  std::size_t bytes = 0;
  for (const auto& p : pieces_) bytes += 2 * with_room(p.place.size());
  if (bytes > 0 && (!shelf_ || shelf_->bytes().size() < bytes)) shelf_ = device_.allocate({.bytes = bytes});
  std::size_t used = 0;
  for (auto& p : pieces_) {
    for (auto* slot : {&p.kept, &p.decoy}) {
      *slot = shelf_->bytes().subspan(used, p.place.size());
      used += with_room(p.place.size());
    }
  }
}

void late_data::hide() {
  draw_pieces();
  if (pieces_.empty()) return;
  for (const auto& p : pieces_) {
    device_.copy(p.kept, p.place);
    device_.copy(p.decoy, p.other);
  }
  hide_again();
  device_.synchronize();
}

void late_data::with_all_inputs(const std::function<void(std::span<std::byte> own, std::span<std::byte> other,
                                                         std::span<std::byte> room)>& exchange) {
  std::size_t used = 0;
  for (const auto placement : in_device_memory) {
    if (!members_.has_placement(placement)) continue;
    auto ring = members_.ring(placement);
    const auto& own = ring[members_.first()].get().memory.arrays();
    const auto& other = ring[(members_.first() + 1) % ring.size()].get().memory.arrays();
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (own[i].use != use::in) continue;
      const auto size = own[i].bytes().size();
      exchange(own[i].bytes(), other[i].bytes(),
               whole_shelf_ ? whole_shelf_->bytes().subspan(used, size) : std::span<std::byte>{});
      used += with_room(size);
    }
  }
}

bool late_data::make_room_for_all() {
  if (members_.size() < 2) return false;
  std::size_t bytes = 0;
  if (whole_shelf_) return true;
  with_all_inputs([&](auto own, auto, auto) { bytes += with_room(own.size()); });
  if (bytes == 0 || bytes > std::min(most_whole_bytes, device_.memory_bytes() / 4)) return false;
  whole_shelf_ = device_.allocate({.bytes = bytes});
  return true;
}

void late_data::hide_all() {
  with_all_inputs([&](auto own, auto other, auto room) {
    device_.copy(room, own);
    device_.copy(own, other);
  });
}

void late_data::show_all() {
  with_all_inputs([&](auto own, auto, auto room) { device_.copy(own, room); });
}

void late_data::show() {
  if (!hidden_) return;
  for (const auto& p : pieces_) device_.copy(p.place, p.kept);
  hidden_ = false;
}

void late_data::hide_again() {
  if (hidden_ || pieces_.empty()) return;
  for (const auto& p : pieces_) device_.copy(p.place, p.decoy);
  hidden_ = true;
}

}  // namespace ridge::harness
