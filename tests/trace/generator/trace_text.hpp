// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <string_view>

#include "generator/invented_names.hpp"

namespace ridge::trace::generator {

// Writes a Kineto trace, spaced and ordered as PyTorch writes it: operators, then 87.7 % Python frames, then
// runtime calls with their flows, then kernels with theirs; about 263 bytes per event. The events nest and
// the kernels of a stream follow each other; every kernel has its launch (about five to a launch). Half of
// the Python frames have one of the ten most frequent names; real traces repeat names more.
class trace_text {
 public:
  using sink = std::function<void(std::string_view)>;
  trace_text(std::uint64_t events, std::uint64_t seed) : events_(events), random_(seed) {}
  void write(const sink& output);

 private:
  void write_head();
  void write_ops(std::uint64_t count);
  void write_frames(std::uint64_t count);
  void write_calls(std::uint64_t count);
  void write_kernels(std::uint64_t count);
  void write_tail();
  void begin(std::string_view category, std::string_view name, int process, int thread,
             std::uint64_t start_ns, std::uint64_t duration_ns);
  void flow(char phase, std::uint64_t id, int process, int thread, std::uint64_t start_ns);
  void flush(std::size_t above);
  [[nodiscard]] std::uint64_t random_below(std::uint64_t limit) { return random_() % limit; }
  [[nodiscard]] const std::string& drawn(const std::vector<std::string>& names, int skew);

  std::uint64_t events_;
  std::mt19937_64 random_;
  std::string text_{};
  sink sink_{};
  std::uint64_t index_ = 0;  // "Ev Idx"
  std::vector<std::uint64_t> launches_{};
  std::vector<std::string> frames_ = frame_names(), kernels_ = kernel_names(), ops_ = op_names(),
                           calls_ = call_names();
};

}  // namespace ridge::trace::generator
