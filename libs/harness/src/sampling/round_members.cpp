// SPDX-License-Identifier: Apache-2.0
#include "sampling/round_members.hpp"

#include <ridge/base/expects.hpp>
#include <ridge/harness/session.hpp>

#include "data/fingerprint.hpp"

namespace ridge::harness {
namespace {

constexpr double rekey_share = 0.05;

}  // namespace

round_members::round_members(rings& all, std::size_t near_cache_bytes) : rings_(all) {
  const auto& ring = all.begin()->second;
  files_ = ring.front().has_files();
  loops_ = !files_ && !ring.front().has_inouts();
  size_ = ring.size();
  near_ = size_ * member_bytes(all) <= near_cache_bytes / 2;
}

void round_members::fill(std::uint64_t seed) {
  const double start = monotonic_seconds();
  for (auto& [placement, ring] : rings_) {
    for (std::size_t i = 0; i < ring.size(); ++i) ring[i].rekey(mix_keys(seed, i));
  }
  last_whole_s_ = monotonic_seconds();
  whole_s_ = (last_whole_s_ - start) / static_cast<double>(rings_.size() * size_);
}

void round_members::begin_round(std::uint64_t round) {
  used_ = most_used();
  first_ = used_ == size_ ? 0 : static_cast<std::size_t>(round % size_);
  rekey();
}

void round_members::use_only(std::size_t member) {
  first_ = member;
  used_ = 1;
}

void round_members::draw_anew(std::uint64_t key, std::size_t first, std::size_t count) {
  expects(!files_ && count > 0 && first + count <= size_, "draw_anew: members of the rings, without files");
  used_ = count;
  first_ = first;
  for (auto& [placement, ring] : rings_) {
    for (std::size_t i = first_; i < first_ + used_; ++i) ring[i].rekey(mix_keys(key, i));
  }
}

void round_members::draw_again() {
  for (auto& [placement, ring] : rings_) {
    for (auto& member : used_of(placement)) member.restore({member.state().base, member.state().touches + 1});
  }
}

void round_members::read_inputs() {
  for (auto& [placement, ring] : rings_) {
    for (auto& member : used_of(placement)) (void)member.inputs_digest();
  }
}

void round_members::rekey() {
  const double now = monotonic_seconds();
  const double cost_s = whole_s_ * static_cast<double>(used_ * rings_.size());
  const bool whole = cost_s < rekey_share * (now - last_whole_s_);
  if (whole) last_whole_s_ = now;
  for (auto& [placement, ring] : rings_) {
    for (auto& member : used_of(placement)) {
      if (whole && !member.has_files()) {
        member.rekey(mix_keys(member.state().base, 1));
      } else {
        member.touch();
      }
    }
  }
}

void round_members::clean(device::placement placement) {
  for (auto& member : used_of(placement)) {
    if (leaves_old_results_) {
      member.put_old_results_in_outputs();
    } else {
      member.poison_outputs();
    }
    member.restore_inouts();
    member.drop_files_from_cache();
  }
}

std::vector<key_state> round_members::states() const {
  std::vector<key_state> all;
  const auto& ring = rings_.begin()->second;
  for (std::size_t i = first_; i < first_ + used_; ++i) all.push_back(ring[i].state());
  return all;
}

std::size_t round_members::result_bytes(bool of_pieces) const {
  std::size_t bytes = 0;
  const auto& memory = rings_.begin()->second.front().get().memory;
  for (const auto& array : memory.arrays()) {
    if (!is_result(array)) continue;
    for (const auto piece :
         looked_at(memory, array, of_pieces ? std::optional<std::uint64_t>(0) : std::nullopt))
      bytes += piece.size();
  }
  return bytes;
}

std::string round_members::damage() const {
  for (const auto& [placement, ring] : rings_) {
    for (const auto& member : ring) {
      if (auto seen = member.damage(); !seen.empty()) return seen;
    }
  }
  return {};
}

}  // namespace ridge::harness
