// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace ridge::plan::serve {

// Free blocks of a cache without sharing, where only their numbers matter: runs in the order in which they
// will be taken. A run may belong to a preempted request; since its last block was freed first, the part that
// is not yet taken is always its beginning.
class counted_blocks {
 public:
  static constexpr std::uint32_t nobody = 0xffffffffU;

  explicit counted_blocks(std::uint32_t blocks) : blocks_(blocks), free_(blocks), nameless_(blocks) {}
  [[nodiscard]] std::uint32_t free() const { return free_; }
  void take(std::uint32_t n) {
    free_ -= n;
    if (runs_.empty()) {
      nameless_ -= n;
    } else {
      take_from_runs(n);
    }
  }
  void give(std::uint32_t n) {
    free_ += n;
    if (runs_.empty()) {
      nameless_ += n;
    } else {
      append({n, nobody});
    }
  }
  void give_kept(std::uint32_t n, std::uint32_t owner);
  [[nodiscard]] std::uint32_t kept(std::uint32_t owner) const;
  // The former owner takes the rest of its run.
  void claim(std::uint32_t owner);
  void disown(std::uint32_t owner);
  void clear();

 private:
  struct run {
    std::uint32_t count = 0, owner = nobody;
  };
  void take_from_runs(std::uint32_t n);
  void append(const run& r);

  std::uint32_t blocks_, free_, nameless_;  // nameless: blocks before all runs
  std::vector<run> runs_{};
};

}  // namespace ridge::plan::serve
