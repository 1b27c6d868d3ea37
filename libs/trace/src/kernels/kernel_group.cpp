// SPDX-License-Identifier: Apache-2.0
#include "kernels/kernel_group.hpp"

#include <algorithm>
#include <cmath>

namespace ridge::trace {

void kernel_group::add(const device_work& w, work_id id) {
  const auto length = w.duration_ns();
  if (first == none) first = id;
  if (length > longest_ns) longest_ns = length, longest = id;
  lengths.push_back(length);
  bytes += w.bytes;
  registers = std::max(registers, w.registers);
  shared_bytes = std::max(shared_bytes, w.shared_bytes);
  if (std::isnan(w.occupancy)) return;
  const auto weight = static_cast<double>(std::max<nanoseconds>(length, 1));
  occupancy_time += static_cast<double>(w.occupancy) * weight;
  occupancy_weight += weight;
}

// FNV-1a over words.
std::size_t kernel_groups::hash::operator()(const key& k) const {
  std::uint64_t h = 14695981039346656037ULL;
  for (const auto word : k) h = (h ^ word) * 1099511628211ULL;
  return static_cast<std::size_t>(h ^ (h >> 32));
}

std::uint32_t kernel_groups::group_of(const key& k) {
  const auto [at, is_new] = rows_.try_emplace(k, static_cast<std::uint32_t>(groups_.size()));
  if (is_new) groups_.emplace_back();
  return at->second;
}

void kernel_groups::add(const device_work& w, work_id id) {
  const key shape{w.name,
                  static_cast<std::uint32_t>(w.device),
                  static_cast<std::uint32_t>(w.kind),
                  w.grid[0],
                  w.grid[1],
                  w.grid[2],
                  w.block[0],
                  w.block[1],
                  w.block[2]};
  auto at = shapes_.find(shape);
  if (at == shapes_.end()) {
    auto row = shape;
    if (!by_shape_) std::fill(row.begin() + 3, row.end(), 0U);
    at = shapes_.emplace(shape, group_of(row)).first;
    ++groups_[at->second].shapes;
  }
  groups_[at->second].add(w, id);
}

}  // namespace ridge::trace
