// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "generator/invented_names.hpp"

namespace ridge::trace::generator {

// The place of a trace in an invented job: ranks that reduce together, one of which comes late.
struct rank_of_job {
  int rank = 0;
  int ranks = 1;
  int ranks_per_node = 8;
  int late_rank = 0;                    // comes `late_ns` after the others to every all-reduce
  std::uint64_t late_ns = 40'000;       // the others come within 20 us of each other
  std::uint64_t transfer_ns = 30'000;   // of an all-reduce, once all are there
  std::uint64_t reduces_per_1000 = 10;  // of the trace's events
  std::uint64_t steps = 10;
};

// Writes a Kineto trace, spaced and ordered as PyTorch writes it: operators, then 87.7 % Python frames, then
// runtime calls with their flows, then kernels with theirs; about 263 bytes per event. The events nest and
// the kernels of a stream follow each other; every kernel has its launch (about five to a launch). Half of
// the Python frames have one of the ten most frequent names; real traces repeat names more.
class trace_text {
 public:
  using sink = std::function<void(std::string_view)>;
  trace_text(std::uint64_t events, std::uint64_t seed, std::optional<rank_of_job> job = {})
      : events_(events), random_(seed), job_(job) {}
  void write(const sink& output);

 private:
  void write_head();
  void write_ops(std::uint64_t count);
  void write_frames(std::uint64_t count);
  void write_calls(std::uint64_t count);
  void write_kernels(std::uint64_t count);
  void write_steps();
  void write_reduces();
  void write_tail();
  void begin(std::string_view category, std::string_view name, int process, int thread,
             std::uint64_t start_ns, std::uint64_t duration_ns);
  void flow(char phase, std::uint64_t id, int process, int thread, std::uint64_t start_ns);
  void flush(std::size_t above);
  [[nodiscard]] std::uint64_t random_below(std::uint64_t limit) { return random_() % limit; }
  [[nodiscard]] const std::string& drawn(const std::vector<std::string>& names, int skew);

  std::uint64_t events_;
  std::mt19937_64 random_;
  std::optional<rank_of_job> job_{};
  std::string text_{};
  sink sink_{};
  std::uint64_t index_ = 0;  // "Ev Idx"
  std::vector<std::uint64_t> launches_{};
  std::vector<std::string> frames_ = frame_names(), kernels_ = kernel_names(), ops_ = op_names(),
                           calls_ = call_names();
};

}  // namespace ridge::trace::generator
