// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_group.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace ridge::trace {

void kernel_group::add(const device_work& w, work_id id) {
  const auto length = w.duration_ns();
  if (first == none) first = id;
  if (length > longest_ns) longest_ns = length, longest = id;
  ++count;
  bytes += w.bytes;
  registers = std::max(registers, w.registers);
  shared_bytes = std::max(shared_bytes, w.shared_bytes);
  if (std::isnan(w.occupancy)) return;
  const auto weight = static_cast<double>(std::max<nanoseconds>(length, 1));
  occupancy_time += static_cast<double>(w.occupancy) * weight;
  occupancy_weight += weight;
}

kernel_groups::rows::rows(std::span<const device_work> works, bool by_shape)
    : works_(works), by_shape_(by_shape), slots_(256, none) {}

std::uint64_t kernel_groups::rows::hash_of(const device_work& w) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15U;
  const auto mix = [](std::uint64_t h, std::uint64_t word) { return std::rotl(h ^ word, 29) * odd; };
  auto h = mix(odd, std::uint64_t{w.name} << 32 | static_cast<std::uint32_t>(w.device));
  h = mix(h, static_cast<std::uint64_t>(w.kind));
  if (by_shape_) {
    for (std::size_t i = 0; i < w.grid.size(); ++i) h = mix(h, std::uint64_t{w.grid[i]} << 32 | w.block[i]);
  }
  return h ^ h >> 32;
}

bool kernel_groups::rows::are_alike(const device_work& a, const device_work& b) const {
  return a.name == b.name && a.device == b.device && a.kind == b.kind &&
         (!by_shape_ || (a.grid == b.grid && a.block == b.block));
}

std::uint32_t kernel_groups::rows::row_of(work_id id) {
  const auto mask = slots_.size() - 1;
  auto at = hash_of(works_[id]) & mask;
  for (; slots_[at] != none; at = (at + 1) & mask) {
    if (are_alike(works_[firsts_[slots_[at]]], works_[id])) return slots_[at];
  }
  slots_[at] = size();
  firsts_.push_back(id);
  if (firsts_.size() * 2 > slots_.size()) grow();
  return size() - 1;
}

void kernel_groups::rows::grow() {
  slots_.assign(slots_.size() * 2, none);
  const auto mask = slots_.size() - 1;
  for (std::uint32_t row = 0; row < size(); ++row) {
    auto at = hash_of(works_[firsts_[row]]) & mask;
    while (slots_[at] != none) at = (at + 1) & mask;
    slots_[at] = row;
  }
}

kernel_groups::kernel_groups(std::span<const device_work> works, bool by_shape)
    : works_(works), shapes_(works, true), rows_(works, by_shape) {}

void kernel_groups::add(work_id id) {
  const auto known = shapes_.size();
  const auto shape = shapes_.row_of(id);
  if (shape == known) {
    const auto group = rows_.row_of(id);
    if (group == groups_.size()) groups_.emplace_back();
    ++groups_[group].shapes;
    group_of_shape_.push_back(group);
  }
  groups_[group_of_shape_[shape]].add(works_[id], id);
  members_.push_back({id, group_of_shape_[shape]});
}

std::vector<nanoseconds> kernel_groups::lengths() const {
  std::vector<std::size_t> next(groups_.size());
  for (std::size_t g = 1; g < groups_.size(); ++g) next[g] = next[g - 1] + groups_[g - 1].count;
  std::vector<nanoseconds> all(members_.size());
  for (const auto& m : members_) all[next[m.group]++] = works_[m.work].duration_ns();
  return all;
}

}  // namespace ridge::trace
