// SPDX-License-Identifier: Apache-2.0
#include "sampling/result_shelf.hpp"

#include "data/fingerprint.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t most_shelf_bytes = std::size_t{512} << 20;
constexpr std::size_t shelf_alignment = 256;

std::size_t on_the_shelf(std::size_t bytes) {
  return (bytes + shelf_alignment - 1) / shelf_alignment * shelf_alignment;
}

}  // namespace

bool result_shelf::make_room(std::size_t bytes, std::size_t arrays) {
  const auto wanted = bytes + arrays * shelf_alignment;
  if (wanted > most_shelf_bytes) return false;
  if (room_ && room_->bytes().size() >= wanted) return true;
  if (wanted > device_.memory_bytes() / 2) return false;
  room_ = device_.allocate({.bytes = wanted});
  return true;
}

void result_shelf::enqueue(const memory& outputs_of) {
  auto& kept = kept_.emplace_back();
  for (const auto& a : outputs_of.arrays()) {
    if (!is_result(a)) continue;
    const auto place = room_->bytes().subspan(used_, a.bytes().size());
    device_.copy(place, a.bytes());
    used_ += on_the_shelf(place.size());
    kept.push_back(place);
  }
}

std::vector<result_bytes> result_shelf::take() {
  std::vector<result_bytes> all;
  for (const auto& arrays : kept_) {
    auto& results = all.emplace_back();
    for (const auto place : arrays) {
      auto& bytes = results.emplace_back(place.size());
      device_.copy_to_host(bytes, place);
    }
  }
  kept_.clear();
  used_ = 0;
  return all;
}

}  // namespace ridge::harness
