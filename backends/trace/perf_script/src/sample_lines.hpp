// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridge::backends::trace_perf_script {

// The first line of a sample: "python 4242/4243 [001] 5512.123456: 250000 cpu-clock:u: ", with the frame
// behind it where no call chain was recorded.
struct sample_head {
  std::string_view command{};
  std::int64_t process = 0, thread = 0;  // equal where only one is given
  std::int64_t time_ns = 0;
  std::uint64_t period = 1;
  std::string_view event{};  // "cpu-clock:u"
  std::string_view rest{};
};

struct frame_line {
  std::string_view function{};  // "" for [unknown]
  std::string_view file{};
};

// Parses the first line of a sample; nullopt where the line is none. The texts are parts of the line.
[[nodiscard]] std::optional<sample_head> read_sample_head(std::string_view line);
// Parses a frame: "        5581d2 spin(int)+0x1f (/usr/bin/burn)".
[[nodiscard]] std::optional<frame_line> read_frame(std::string_view line);

}  // namespace ridge::backends::trace_perf_script
