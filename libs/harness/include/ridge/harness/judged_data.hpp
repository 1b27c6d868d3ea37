// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/harness/experiment.hpp>
#include <ridge/harness/instruments.hpp>

namespace ridge::harness {

// Returns a well-mixed key out of several numbers.
[[nodiscard]] std::uint64_t mixed_key(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0);

// The data of a problem in this process, and what their results must be: for a judge of results that another
// process computed. One thread uses it.
class judged_data {
 public:
  // The arrays hold nothing yet. Throws failure where the machine refuses their memory.
  judged_data(const experiment& entry, const problem& p, const instruments& equipment);
  ~judged_data();
  judged_data(const judged_data&) = delete;
  judged_data& operator=(const judged_data&) = delete;

  // The arrays in the order in which the workload makes them. Inputs and inouts hold what draw() drew.
  [[nodiscard]] const std::vector<array_record>& arrays() const;

  // Draws all inputs and inouts: a pure function of the key.
  void draw(std::uint64_t key);

  // How results are checked: "oracle", "elements" where that is too slow, "check" for a property alone.
  [[nodiscard]] std::string_view method() const;
  // Computes what the results of the drawn data are, for difference(). Nothing to do for "elements" and
  // "check".
  void compute_answers();
  // Describes how results differ from the answers for the drawn data, at the tolerance of this variant; empty
  // where they agree. `results` holds the bytes of each array that a call writes, in order. Elements are
  // drawn by the system's random numbers where not all are looked at. An empty text of an experiment without
  // oracle, elements and property means nothing.
  [[nodiscard]] std::string difference(std::span<const std::span<const std::byte>> results,
                                       std::size_t variant);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

// The same data in arrays of a device, for code of others to compute on. One thread uses it.
class drawn_member {
 public:
  // A member whose arrays a device, which outlives it, allocates in the order in which the workload makes
  // them. They hold nothing yet. Throws failure where the memory is refused.
  drawn_member(const experiment& entry, const problem& p, device::device& owner,
               const std::string& scratch_folder);
  ~drawn_member();
  drawn_member(const drawn_member&) = delete;
  drawn_member& operator=(const drawn_member&) = delete;

  // Draws all inputs and inouts as judged_data::draw does for the same key.
  void draw(std::uint64_t key);
  // Poisons the outputs and sets the inouts to what was drawn.
  void reset();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace ridge::harness
