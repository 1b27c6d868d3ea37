// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>
#include <ridge/trace/trace_builder.hpp>

#include "event_reader.hpp"
#include "event_writer.hpp"
#include "json_text.hpp"
#include "stack_samples.hpp"
#include "text_window.hpp"

namespace ridge::backends::trace_chrome_json {

// How a document is read; nothing of it changes what is read.
struct read_plan {
  std::size_t window_bytes = text_window::usual_bytes;
  unsigned threads = 0;                                // 0: as many as usual_threads() says
  std::size_t block_bytes = std::size_t{1} << 18;      // what a thread scans at once
  std::uint64_t alone_bytes = std::uint64_t{4} << 20;  // what one thread reads before others are started
};

// Returns the number of processors of this process, at most four: what the blocks say is added up on one.
[[nodiscard]] unsigned usual_threads();

// Reads a whole document: the root's members and the events, as far as they can be read.
class document_reader {
 public:
  document_reader(trace::byte_source& source, trace::trace_builder& builder, const trace::read_limits& limits,
                  const read_plan& plan);
  // Returns an error where the input is not a trace.
  [[nodiscard]] result<void> read();
  [[nodiscard]] std::uint64_t bytes_read() const { return window_.offset_of(window_.end()); }

 private:
  bool move_on(const char* keep);
  bool read_space();
  [[nodiscard]] result<void> read_root();
  bool read_member();
  bool read_member_value(const std::string& key);
  void read_events();
  bool read_one_event();
  void read_on_several_threads();
  void recover(std::string_view why);
  bool find_event();
  void cut_off();
  void count_trailing();
  bool over_limit(std::uint64_t bytes);
  void count_texts();

  trace::byte_source& source_;
  trace::trace_builder& builder_;
  const trace::read_limits limits_;
  const read_plan plan_;
  text_window window_;
  json_text text_{};
  const char* cursor_ = nullptr;
  event_reader reader_{};
  event_fields event_{};
  event_writer writer_;
  stack_samples samples_;
  std::uint64_t events_ = 0;
  std::uint64_t alone_until_;  // where in the input several threads begin
  bool found_events_ = false, closed_ = false, stopped_ = false;
};

// Reads a trace as importer::read() does. The result does not depend on the plan.
[[nodiscard]] result<trace::trace> read_trace(trace::byte_source& source, trace::origin origin,
                                              const trace::read_limits& limits, const read_plan& plan = {});

}  // namespace ridge::backends::trace_chrome_json
