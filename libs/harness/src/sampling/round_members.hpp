// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sampling/rings.hpp"

namespace ridge::harness {

// The members of the rings that the arms of a round work on: one of each ring, the next one in every round;
// or all of them, where a sample holds many calls and the whole ring fits the cache that one member would.
// Draws their data anew before a round. References the rings.
class round_members {
 public:
  // `near_cache_bytes`: the size of the cache that the arrays of a small problem stay in.
  round_members(rings& all, std::size_t near_cache_bytes);

  // Draws all data of all rings anew, each member from a key of its own.
  void fill(std::uint64_t seed);
  // Chooses the members of the round and draws their data anew: whole arrays as often as that costs under 5 %
  // of the time, else a part of their lines; files are drawn once.
  void begin_round(std::uint64_t round);
  // Uses this member alone until the next round.
  void use_only(std::size_t member);
  // Uses `count` members from `first` on, and draws all their data anew from this key. Bug: files, or members
  // that the rings do not have.
  void draw_anew(std::uint64_t key, std::size_t first, std::size_t count);
  // Writes all data of the members used once more, and then draws a part of their lines anew: the writes of
  // draw_anew, but nearly the same data. Bug: files.
  void draw_again();
  // Reads all inputs of the members used, so that they lie in the caches as far as they fit.
  void read_inputs();

  // Whether a sample may hold more than one call: the members have no inouts and no files.
  [[nodiscard]] bool may_loop() const { return loops_; }
  [[nodiscard]] bool has_files() const { return files_; }
  // Number of members of a ring; the first one used, and how many.
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t first() const { return first_; }
  [[nodiscard]] std::size_t used() const { return used_; }
  // The most members that a round uses, and the bytes of the results of one, or of the pieces of
  // them that are looked at.
  [[nodiscard]] std::size_t most_used() const { return loops_ && near_ ? size_ : 1; }
  [[nodiscard]] std::size_t result_bytes(bool of_pieces = false) const;
  // Bytes of all arrays of one member.
  [[nodiscard]] std::size_t bytes_of_one() const { return member_bytes(rings_); }
  [[nodiscard]] bool has_placement(device::placement placement) const { return rings_.contains(placement); }
  // All members of a ring, and those used.
  [[nodiscard]] std::span<keyed_member> ring(device::placement placement) { return rings_.at(placement); }
  [[nodiscard]] std::span<keyed_member> used_of(device::placement placement) {
    return ring(placement).subspan(first_, used_);
  }
  // Makes the members used as they were before the first call: outputs poisoned, inouts restored, files out
  // of the page cache.
  void clean(device::placement placement);
  // As long as it lives, clean leaves old results in the outputs, in wrong places, instead of poison.
  class old_results_left {
   public:
    explicit old_results_left(round_members& members) : members_(members) {
      members_.leaves_old_results_ = true;
    }
    ~old_results_left() { members_.leaves_old_results_ = false; }
    old_results_left(const old_results_left&) = delete;
    old_results_left& operator=(const old_results_left&) = delete;

   private:
    round_members& members_;
  };
  // Names the data of each member used.
  [[nodiscard]] std::vector<key_state> states() const;
  // Describes the first array whose red zones were written; empty when none was.
  [[nodiscard]] std::string damage() const;

 private:
  void rekey();

  rings& rings_;
  bool loops_, files_, near_;
  bool leaves_old_results_ = false;
  std::size_t size_;
  std::size_t first_ = 0, used_ = 1;
  double whole_s_ = 0;       // cost of drawing one member anew
  double last_whole_s_ = 0;  // when whole arrays were drawn for the last time
};

}  // namespace ridge::harness
