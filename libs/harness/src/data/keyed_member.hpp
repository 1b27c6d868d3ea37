// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <ridge/harness/experiment.hpp>

namespace ridge::harness {

// Names the data that a member holds: a base key, and how often the data were touched since. Data are a pure
// function of this.
struct key_state {
  std::uint64_t base = 0;
  std::uint64_t touches = 0;
  bool operator==(const key_state&) const = default;
};

// A well-mixed key out of several numbers.
[[nodiscard]] std::uint64_t mix_keys(std::uint64_t a, std::uint64_t b, std::uint64_t c = 0);

// A ring member whose inputs are drawn by key, wholly or a random 1/256 of their lines at a time.
class keyed_member {
 public:
  explicit keyed_member(std::unique_ptr<ridge::member> m);

  // The member itself, and the device that holds its arrays.
  [[nodiscard]] ridge::member& get() { return *member_; }
  [[nodiscard]] const ridge::member& get() const { return *member_; }
  [[nodiscard]] device::device& where() const { return member_->memory.where(); }

  // Draws every element of inputs, inouts and files anew.
  void rekey(std::uint64_t base);
  // Draws 1/256 of the lines of each array anew that is drawn element by element, and exchanges pieces of
  // each permutation. Arrays that the host fills as a whole stay as they are. Inouts are as drawn afterwards.
  void touch();
  // Draws the data of `state` again.
  void restore(key_state state);
  [[nodiscard]] key_state state() const { return state_; }
  [[nodiscard]] bool has_inouts() const { return has_inouts_; }
  [[nodiscard]] bool has_files() const { return has_files_; }

  // Poisons every array, inputs too, since `setup` may not read them.
  void poison_all();
  // Before every call: poisons the outputs, sets the inouts to the data of the key, drops files from the page
  // cache.
  void poison_outputs();
  // Puts what looks like results in place of poison: the lower half of each output is copied to the upper
  // one.
  void put_old_results_in_outputs();
  void restore_inouts();
  void drop_files_from_cache();
  // Takes over the data of a member of the same problem in host memory.
  void copy_inputs_from(const keyed_member& same_problem);
  // For a member in host memory: copy, from a member of the same problem on a device, the arrays as they are
  // now, or the inouts as they were drawn.
  void copy_arrays_from(const keyed_member& elsewhere);
  void copy_pristine_from(const keyed_member& elsewhere);

  // A digest over all inputs.
  [[nodiscard]] std::uint64_t inputs_digest() const;
  // Describes the first array whose guards were written; empty when none was.
  [[nodiscard]] std::string damage() const;

 private:
  [[nodiscard]] std::span<std::byte> drawn_bytes(const array_record& array);
  void save_inouts();
  void write_file(const array_record& record, std::uint64_t key) const;

  std::unique_ptr<ridge::member> member_;
  key_state state_;
  std::optional<std::uint64_t> written_;  // the key whose data the files hold
  bool has_inouts_ = false;
  bool has_files_ = false;
  std::vector<std::unique_ptr<device::array>> pristine_;  // each inout as drawn, in the order of arrays
  std::unique_ptr<device::array> spare_;                  // one line, while lines are exchanged
};

}  // namespace ridge::harness
