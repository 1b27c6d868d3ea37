// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <ridge/harness/experiment.hpp>

namespace ridge::harness {

// Which data a member holds: a base key and how often it was touched since. Data are a pure function of this.
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

  [[nodiscard]] ridge::member& get() { return *member_; }
  [[nodiscard]] const ridge::member& get() const { return *member_; }
  [[nodiscard]] device::device& where() const { return member_->memory.where(); }

  void rekey(std::uint64_t base);  // every element of inputs and inouts, and the files
  void touch();                    // new values for 1/256 of the lines of what is drawn element by element
  void restore(key_state state);
  [[nodiscard]] key_state state() const { return state_; }
  [[nodiscard]] bool has_inouts() const { return has_inouts_; }
  [[nodiscard]] bool has_files() const { return has_files_; }

  void poison_all();      // inputs too: what `setup` may not read
  void poison_outputs();  // before every call
  void restore_inouts();  // to what the key says, before every call
  void drop_files_from_cache();
  void copy_inputs_from(const keyed_member& same_problem);
  // From a member of the same problem on a device: this one lies in host memory. Arrays as they are; inouts
  // as they were drawn.
  void copy_arrays_from(const keyed_member& elsewhere);
  void copy_pristine_from(const keyed_member& elsewhere);

  [[nodiscard]] std::uint64_t inputs_digest() const;
  [[nodiscard]] std::string damage() const;  // of any array's guards, in words

 private:
  void save_inouts();
  void write_file(const array_record& record, std::uint64_t key) const;

  std::unique_ptr<ridge::member> member_;
  key_state state_;
  std::optional<std::uint64_t> written_;  // the key whose data the files hold
  bool has_inouts_ = false;
  bool has_files_ = false;
  std::vector<std::unique_ptr<device::array>> pristine_;  // of each inout, in the order of arrays
};

}  // namespace ridge::harness
