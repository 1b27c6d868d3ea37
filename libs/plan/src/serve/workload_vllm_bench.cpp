// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "json_scan.hpp"
#include "time_text.hpp"
#include "workload_rows.hpp"

namespace ridge::plan::serve {
namespace {

std::optional<double> json_number(std::string_view object, std::string_view key) {
  const auto value = json_member(object, key);
  return value ? parse_number(json_unquoted(*value)) : std::nullopt;
}

// Older versions do not record when requests were sent: all at once, at a constant rate, or so many at a
// time.
result<std::vector<double>> sent_times(std::string_view object, std::size_t requests, workload_rows& rows) {
  std::vector<double> times(requests, 0.0);
  if (const auto clients = json_number(object, "max_concurrency"); clients && *clients >= 1) {
    rows.made().clients = static_cast<std::uint32_t>(*clients);
    rows.note(
        fmt::format("no start_times in it: {} requests at a time, as its max_concurrency says", *clients));
    return times;
  }
  const auto rate = json_member(object, "request_rate");
  if (rate && json_unquoted(*rate) == "inf") {
    rows.note("no start_times in it: all at once, as its request_rate says");
    return times;
  }
  const auto per_second = json_number(object, "request_rate");
  if (!per_second || *per_second <= 0)
    return error{"no start_times, request_rate or max_concurrency is in it",
                 "run `vllm bench serve --save-result --save-detailed` of a newer version"};
  for (std::size_t i = 0; i < requests; ++i) times[i] = static_cast<double>(i) / *per_second;
  rows.note(fmt::format("no start_times in it: evenly {} per second, as its request_rate says", *per_second));
  return times;
}

}  // namespace

result<void> read_vllm_bench_rows(std::string_view text, workload_rows& rows) {
  const auto prompts = json_array(text, "input_lens"), outputs = json_array(text, "output_lens");
  const auto starts = json_array(text, "start_times");
  if (prompts.empty() || prompts.size() != outputs.size())
    return error{fmt::format("input_lens has {} and output_lens {} numbers", prompts.size(), outputs.size()),
                 "run `vllm bench serve` with --save-result --save-detailed"};
  if (!starts.empty() && starts.size() != prompts.size())
    return error{fmt::format("start_times has {} and input_lens {} numbers", starts.size(), prompts.size()),
                 "use the file as `vllm bench serve` wrote it"};
  std::vector<double> times;
  if (starts.empty()) {
    auto made = sent_times(text, prompts.size(), rows);
    if (!made) return made.why();
    times = std::move(*made);
  }
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    const auto column = static_cast<std::size_t>(prompts[i].data() - text.data()) + 1;
    rows.begin(1);
    const auto time = times.empty() ? std::string(starts[i]) : fmt::format("{}", times[i]);
    rows.take({row_field::arrival, 1e9}, "start_times", time, column);
    rows.take({row_field::prompt, 0}, "input_lens", prompts[i], column);
    rows.take({row_field::output, 0}, "output_lens", outputs[i], column);
    if (!rows.end()) return rows.why();
  }
  return {};
}

}  // namespace ridge::plan::serve
