// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include <ridge/harness/judged_data.hpp>
#include <ridge/harness/work.hpp>

#include "exchange/assignment.hpp"

namespace ridge::judge {

inline constexpr std::size_t baseline_arm = 0, candidate_arm = 1;

// The memory that the arms of a trial compute in, with the data that the judge draws into it, and copies of
// what they wrote. Both arms map the same memory, and one at a time runs.
class trial_data {
 public:
  // `given` holds the layout; it and `source` outlive this.
  trial_data(const assignment& given, harness::judged_data& source) : given_(given), source_(source) {}
  virtual ~trial_data() = default;
  trial_data(const trial_data&) = delete;
  trial_data& operator=(const trial_data&) = delete;

  [[nodiscard]] const assignment& layout() const { return given_; }
  // Descriptors of the memory for a runner.
  [[nodiscard]] virtual int inputs() const = 0;
  [[nodiscard]] virtual int outputs() const = 0;

  // Begins new data, which nobody has seen, for all members; they are drawn by draw_up_to().
  void begin(std::uint64_t key) { key_ = key, drawn_ = 0; }
  // Draws the members before `count` that are not drawn yet.
  void draw_up_to(std::size_t count);
  // Poisons the outputs of the members before `count`, and restores their inouts.
  virtual void poison(std::size_t count) = 0;
  // Reads the inputs of the members before `count`, so that every sample finds them as this process left them
  // in the caches, whatever the sample before did to them.
  virtual void read_inputs(std::size_t count) = 0;

  // Takes a copy of what an arm wrote in the members before `count`, while the runner is stopped. Returns
  // what is wrong with the memory itself, such as inputs that were changed; empty where nothing is.
  [[nodiscard]] virtual std::string take(std::size_t arm, std::size_t count) = 0;
  // Describes the first element in which what both arms wrote in the members before `count` differs, of those
  // that are compared; empty where they agree.
  [[nodiscard]] virtual std::string disagreement(std::size_t count, tolerance within) = 0;
  // The members before `count` whose results are kept to be computed again: all, or a choice by `lots`.
  [[nodiscard]] std::vector<std::size_t> members_to_keep(std::size_t count, std::mt19937_64& lots) const;
  // What an arm wrote in a member, from its copy: output_stride bytes.
  [[nodiscard]] virtual std::vector<std::byte> taken(std::size_t arm, std::size_t member) = 0;

  // How the results that an arm left in a member, of which `results` is such a copy, differ from what the
  // oracle computes from the data of that key, at the tolerance of `variant`; empty where they agree.
  [[nodiscard]] std::string difference(std::uint64_t key, std::size_t member,
                                       std::span<const std::byte> results, std::size_t variant);
  // Describes the first byte outside an array that was written; empty where none was.
  [[nodiscard]] virtual std::string damage() = 0;
  // The median of the seconds that this process took to read an arm's results after a sample, which work that
  // goes on beside it delays. 0 where nothing can go on.
  [[nodiscard]] virtual double reading_s(std::size_t) const { return 0; }

 protected:
  [[nodiscard]] harness::judged_data& source() { return source_; }
  // The key of a member's data.
  [[nodiscard]] std::uint64_t key_of(std::size_t member) const { return harness::mixed_key(key_, member); }
  virtual void draw(std::size_t member) = 0;

 private:
  const assignment& given_;
  harness::judged_data& source_;
  std::uint64_t key_ = 0;
  std::size_t drawn_ = 0;
};

}  // namespace ridge::judge
