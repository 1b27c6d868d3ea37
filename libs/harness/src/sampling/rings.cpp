// SPDX-License-Identifier: Apache-2.0
#include "sampling/rings.hpp"

#include <algorithm>

#include <ridge/harness/not_enough_memory.hpp>

#include "sampling/sampler.hpp"
#include "verify/verification.hpp"

namespace ridge::harness {
namespace {

constexpr std::size_t most_near_members = 16;
// Each member's arrays are mappings of their own, and a process has some 65,000: problems of less than some
// kilobytes are not cold, though they may ask for it.
constexpr std::size_t most_cold_members = 4096;
constexpr double share_of_memory = 0.4;
constexpr std::size_t members_verified_with = 2;  // on the host: the inputs, and what a child works on

// Returns how many members each of the rings has; `free_bytes` is what arrays may take before any is made.
std::size_t ring_size(const experiment::definition& definition, std::size_t member_bytes, std::size_t rings,
                      std::size_t free_bytes, const device::device& device) {
  const auto bytes = std::max<std::size_t>(member_bytes, 1);
  std::size_t wanted = rings == 1 ? 3 : 16;
  // Short calls take turns over all members, so that few of them see data again that they have seen.
  if (device.on_host()) wanted = std::clamp(near_cache_bytes(device) / 2 / bytes, wanted, most_near_members);
  if (definition.cold) {
    const auto cold = 2 * device.last_level_cache_bytes() / bytes + 1;
    wanted = std::max(wanted, std::min(cold, most_cold_members));
  }
  const auto affordable =
      static_cast<std::size_t>(share_of_memory * static_cast<double>(free_bytes)) / rings / bytes;
  return std::max<std::size_t>(std::min(wanted, affordable), 1);
}

}  // namespace

rings make_rings(const experiment::definition& definition, const problem& p, const instruments& equipment,
                 std::vector<device::placement> placements) {
  std::ranges::sort(placements);
  placements.erase(std::unique(placements.begin(), placements.end()), placements.end());
  rings all;
  const auto free_bytes = equipment.device->memory_bytes();
  std::size_t size = 1;
  for (const auto placement : placements) {
    const auto new_member = [&] {
      return make_member(definition, p, equipment, device::guard::red_zones, placement);
    };
    auto& ring = all[placement];
    ring.push_back(new_member());
    if (all.size() == 1) {
      const auto bytes = ring.front().get().memory.total_bytes();
      if (equipment.device->on_host()) expect_room(members_verified_with * bytes, *equipment.device);
      size = ring_size(definition, bytes, placements.size(), free_bytes, *equipment.device);
    }
    while (ring.size() < size) ring.push_back(new_member());
  }
  return all;
}

std::size_t member_bytes(const rings& all) {
  return all.empty() || all.begin()->second.empty() ? 0
                                                    : all.begin()->second.front().get().memory.total_bytes();
}

}  // namespace ridge::harness
