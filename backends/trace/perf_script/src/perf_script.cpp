// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/trace/importer.hpp>
#include <ridge/trace/trace_builder.hpp>

#include "line_reader.hpp"
#include "sample_lines.hpp"

namespace ridge::backends::trace_perf_script {

// The factory that an application names.
const trace::importer& perf_script();

namespace {

using trace::flaw;

// Builds samples from their lines.
class sample_reader {
 public:
  explicit sample_reader(trace::trace_builder& builder) : builder_(builder) {}

  void take(const text_line& line) {
    if (trim(line.text).empty()) return finish_sample();
    if (line.text.front() == '#') return;
    if (const auto head = read_sample_head(line.text)) return begin_sample(*head, line.offset);
    const auto frame = read_frame(line.text);
    if (frame && open_) return add_frame(*frame);
    if (!frame && !other_event_)
      builder_.facts().quality.add(flaw::unreadable_event, line.offset,
                                   "a line that is neither a sample nor a frame of one");
  }

  void finish_sample() {
    other_event_ = false;
    if (!open_) return;
    for (const auto& f : frames_ | std::views::reverse)
      open_->stack = builder_.frame(open_->stack, f.function, f.file);
    builder_.add(*open_);
    ++samples_;
    open_.reset();
  }

  [[nodiscard]] std::uint64_t samples() const { return samples_; }
  [[nodiscard]] const std::string& event() const { return event_; }

 private:
  struct named_frame {
    trace::name_id function = 0, file = 0;
  };

  void begin_sample(const sample_head& head, std::uint64_t offset) {
    finish_sample();
    if (event_.empty()) event_ = head.event;
    other_event_ = head.event != event_;
    // Weights of several events do not add up.
    if (other_event_)
      return builder_.facts().quality.add(
          flaw::unknown_field, offset, fmt::format("samples of another event than {} were left out", event_));
    const auto row = builder_.process(head.process);
    const auto track = builder_.track_of(trace::track_kind::thread, row, head.thread);
    auto& facts = builder_.facts();
    facts.tracks[track].name = head.command;
    if (facts.processes[row].name.empty()) facts.processes[row].name = head.command;
    open_ = trace::stack_sample{
        .time_ns = head.time_ns, .weight = head.period, .stack = trace::none, .track = track};
    frames_.clear();
    if (const auto frame = read_frame(head.rest)) add_frame(*frame);
  }

  void add_frame(const frame_line& f) {
    const auto file = f.file.substr(f.file.rfind('/') + 1);
    frames_.push_back({builder_.intern(f.function), builder_.intern(file.empty() ? f.file : file)});
  }

  trace::trace_builder& builder_;
  std::string event_{};
  std::optional<trace::stack_sample> open_{};
  std::vector<named_frame> frames_{};  // innermost first
  std::uint64_t samples_ = 0;
  bool other_event_ = false;
};

bool over(const trace::read_limits& limits, const line_reader& lines, trace::trace_builder& builder) {
  if (lines.bytes_read() <= limits.content_bytes && builder.memory_bytes() <= limits.memory_bytes)
    return false;
  builder.facts().quality.add(flaw::over_limit, lines.bytes_read(), "the rest of the samples was not read");
  return true;
}

class perf_script_importer final : public trace::importer {
 public:
  [[nodiscard]] std::string_view format() const override { return "perf_script"; }

  [[nodiscard]] bool recognises(std::string_view head) const override {
    for (const auto line : split(head.substr(0, 16384), '\n')) {
      if (trim(line).empty() || line.front() == '#') continue;
      return read_sample_head(line).has_value();
    }
    return false;
  }

  [[nodiscard]] result<trace::trace> read(trace::byte_source& source, trace::origin origin,
                                          const trace::read_limits& limits) const override {
    trace::trace_builder builder;
    line_reader lines(source);
    sample_reader samples(builder);
    while (const auto line = lines.next()) {
      samples.take(*line);
      if (over(limits, lines, builder)) break;
    }
    samples.finish_sample();
    auto& facts = builder.facts();
    if (const auto why = source.ended_early())
      facts.quality.add(flaw::truncated, lines.bytes_read(), why->message);
    if (samples.samples() == 0)
      return error{origin.path + ": no sample of `perf script` in it",
                   "make one with: perf script > samples.txt"};
    facts.source = std::move(origin);
    facts.source.format = format();
    facts.source.producer = "perf script, " + samples.event();
    facts.source.content_bytes = lines.bytes_read();
    return std::move(builder).finish();
  }
};

}  // namespace

const trace::importer& perf_script() {
  static const perf_script_importer one;
  return one;
}

}  // namespace ridge::backends::trace_perf_script
