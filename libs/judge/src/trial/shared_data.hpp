// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <ridge/harness/judged_data.hpp>

#include "exchange/assignment.hpp"
#include "exchange/shared_memory.hpp"

namespace ridge::judge {

// The memory that the arms of a trial compute in, with the data that the judge draws into it. Both arms map
// the same pages, and one at a time runs.
class shared_data final {
 public:
  // `given` holds the layout; it and `source` outlive this. Throws io_failure where the machine refuses the
  // memory.
  shared_data(const assignment& given, harness::judged_data& source);

  [[nodiscard]] const assignment& layout() const { return given_; }
  [[nodiscard]] const shared_memory& inputs() const { return inputs_; }
  [[nodiscard]] const shared_memory& outputs() const { return outputs_; }

  // Begins new data, which nobody has seen, for all members; they are drawn by draw_up_to().
  void begin(std::uint64_t key);
  // Draws the members before `count` that are not drawn yet.
  void draw_up_to(std::size_t count);
  // Poisons the outputs of the members before `count`, and restores their inouts.
  void poison(std::size_t count);
  // Reads the inputs of the members before `count`, so that every sample finds them as this process left them
  // in the caches, whatever the sample before did to them.
  void read_inputs(std::size_t count) const;
  // A copy of the memory of outputs of the members before `count`.
  [[nodiscard]] std::vector<std::byte> written(std::size_t count) const;

  // How the results that an arm left in a member, of which `results` is such a copy, differ from what the
  // oracle computes from the data of that key, at the tolerance of `variant`; empty where they agree.
  [[nodiscard]] std::string difference(std::uint64_t key, std::size_t member,
                                       std::span<const std::byte> results, std::size_t variant);
  // Describes the first byte outside an array that was written; empty where none was.
  [[nodiscard]] std::string damage() const;

 private:
  void draw(std::size_t member);

  const assignment& given_;
  harness::judged_data& source_;
  shared_memory inputs_, outputs_;
  std::vector<std::byte> pristine_;  // the memory of outputs as drawn, where the workload has inouts
  std::uint64_t key_ = 0;
  std::size_t drawn_ = 0;
};

}  // namespace ridge::judge
