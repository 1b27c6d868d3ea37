// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/serve/served.hpp>
#include <ridge/plan/serve/summary.hpp>

namespace ridge::plan::serve {

// One request of a measured run, in seconds.
struct measured_request {
  std::string id{};
  std::int64_t prompt_tokens = 0, output_tokens = 0;
  double arrival_s = 0, ttft_s = 0, e2e_s = 0;
};

// Reads the log of an engine or a load generator: requests.jsonl (arrival, queued, first and last token), the
// result of `vllm bench serve --save-detailed`, or profile_export.jsonl of aiperf. In order of arrival. The
// error names the file and the line or member.
[[nodiscard]] result<std::vector<measured_request>> read_measured_run(const std::filesystem::path& file);
[[nodiscard]] result<std::vector<measured_request>> parse_measured_run(std::string_view text,
                                                                       const std::string& name);

// Latencies of a measured run beside those of its simulation.
struct measured_comparison {
  struct line {
    std::string metric{};  // "ttft"
    double measured_mean_s = 0, simulated_mean_s = 0;
    double measured_p50_s = 0, simulated_p50_s = 0;
    double measured_p99_s = 0, simulated_p99_s = 0;
    double mean_error = 0;   // simulated/measured - 1
    double correlation = 0;  // Pearson's, over the requests
  };
  std::size_t requests = 0;  // compared: those that finished in both runs
  std::vector<line> lines{};
};

// Compares each request of the log with the simulated one of the same lengths, both in order of arrival: the
// first of the log with the first simulated, and so on. The error says where the numbers of requests differ,
// or which lengths no simulated request has.
[[nodiscard]] result<measured_comparison> compare_with(const std::vector<measured_request>& measured,
                                                       const std::vector<served_request>& simulated);

}  // namespace ridge::plan::serve
