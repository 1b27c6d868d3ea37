// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <ridge/trace/trace_builder.hpp>

#include "event_fields.hpp"
#include "flow_ends.hpp"
#include "launch_flows.hpp"
#include "name_ids.hpp"
#include "open_ranges.hpp"
#include "scanned_block.hpp"
#include "track_ids.hpp"

namespace ridge::backends::trace_chrome_json {

// Adds the events of a file to a builder as what they mean there.
class event_writer {
 public:
  explicit event_writer(trace::trace_builder& builder)
      : builder_(builder), names_(builder), tracks_(builder), flows_(builder) {}

  // Adds one event. `text` is the text that the event was read from; `offset` is where the event begins in
  // the input.
  void add(const event_fields& e, json_text& text, std::uint64_t offset);
  // Adds the events of a block, and to the counts of `text` what was counted in it.
  void add(const scanned_block& block, json_text& text);
  // Blocks that follow come from other scanners: the numbers of their names begin anew.
  void forget_scanners() { names_of_scanners_.clear(); }
  // Adds what was held back once there are no more events.
  void finish();

 private:
  void add(const event_fields& e, const event_args& arguments, json_text& text, std::uint64_t offset);
  [[nodiscard]] trace::name_id name_of(const event_fields& e);
  [[nodiscard]] trace::event_row row_of(const event_fields& e, std::uint64_t offset) const;
  [[nodiscard]] std::uint32_t correlation();
  void add_complete(const event_fields& e, std::uint64_t offset);
  void add_begin(const event_fields& e, std::uint64_t offset);
  void add_end(const event_fields& e, std::uint64_t offset);
  void add_work(const event_fields& e, trace::event_row row);
  void add_op(const trace::event_row& row);
  void add_synchronization(const trace::event_row& row);
  void add_instant(const event_fields& e, std::uint64_t offset);
  void add_memory(const event_fields& e);
  void add_counters(const event_fields& e, json_text& text);
  void add_metadata(const event_fields& e);
  void add_flow(const event_fields& e);
  void add_plain(const trace::event_row& row);
  [[nodiscard]] trace::track_id track_of(const event_fields& e);
  [[nodiscard]] std::uint32_t collective();

  trace::trace_builder& builder_;
  name_ids names_;
  track_ids tracks_;
  flow_ends flows_;
  launch_flows launches_{};
  open_ranges ranges_{};
  event_args read_args_{};
  const event_args* args_ = nullptr;  // of the event that is added
  using ids = std::vector<trace::name_id>;
  std::vector<ids> names_of_scanners_{};  // by scanner and its number of a name; `none`: not looked at yet
  ids* scanned_names_ = nullptr;          // of the scanner of the block that is added
  std::vector<trace::event_row> zero_calls_{};  // API calls whose correlation is recorded as 0
};

}  // namespace ridge::backends::trace_chrome_json
