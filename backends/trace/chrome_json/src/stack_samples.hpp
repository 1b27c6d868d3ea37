// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <ridge/trace/trace_builder.hpp>

#include "json_text.hpp"

namespace ridge::backends::trace_chrome_json {

// Reads the root's members `stackFrames` and `samples` in any order.
class stack_samples {
 public:
  explicit stack_samples(trace::trace_builder& builder) : builder_(builder) {}

  // Takes a member if it is one of the two, and returns whether it was; `value` is complete.
  bool take(std::string_view key, const char* value, json_text& text);
  // Adds the samples to the builder once there are no more members.
  void finish();

 private:
  struct frame {
    trace::name_id function = 0, module = 0;
    std::uint32_t caller = trace::none;  // into frames_
    std::uint32_t made = trace::none;    // in the trace
    bool told = false, entered = false;
  };
  struct sample {
    std::int64_t time_ns = 0, weight = 1, process = 0, thread = 0;
    std::uint32_t frame = trace::none;
  };
  void take_frames(const char* position, json_text& text);
  void take_samples(const char* position, json_text& text);
  const char* take_frame(const char* position, json_text& text, std::uint32_t row);
  const char* take_sample(const char* position, json_text& text);
  [[nodiscard]] trace::name_id intern(const token& raw);
  [[nodiscard]] std::uint32_t row_of(const token& id);
  [[nodiscard]] std::uint32_t made_frame(std::uint32_t row);

  trace::trace_builder& builder_;
  std::unordered_map<std::string, std::uint32_t> rows_{};
  std::vector<frame> frames_{};
  std::vector<sample> samples_{};
};

}  // namespace ridge::backends::trace_chrome_json
