// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/serve/engine_settings.hpp>
#include <ridge/plan/serve/iteration.hpp>
#include <ridge/plan/serve/request.hpp>

namespace ridge::plan::serve {

// When one request of an engine was queued, and gave its first and last token.
struct request_timing {
  double queued_s = 0, first_token_s = 0, last_token_s = 0;
  std::uint32_t output_tokens = 0;

  [[nodiscard]] double ttft_s() const { return first_token_s - queued_s; }
  [[nodiscard]] double latency_s() const { return last_token_s - queued_s; }
  [[nodiscard]] double tpot_s() const;  // 0 where there is one token
};

// What a real engine did with a workload, and how it was set up.
struct engine_log {
  std::string engine{}, model{}, device{};
  int tensor_parallel = 1;
  engine_settings settings{};
  request_table requests{};
  std::vector<request_timing> measured{};  // one a request
  std::vector<std::string> doubts{};       // what the files did not say, and what stands in for it
};

// Where a log's parts are; all but the requests may be left out.
struct engine_log_files {
  std::filesystem::path requests{};  // JSON lines: input_toks, output_toks, arrival_time, queued_ts, ...
  std::filesystem::path settings{};  // meta.json of the run; by default the one beside the requests
  std::filesystem::path
      tokens{};  // JSON lines with input_tok_ids (and output_tok_ids): prefixes that are shared
};

// The format is LLMServingSim's bench's (requests.jsonl, meta.json of vLLM 0.19).
[[nodiscard]] result<engine_log> read_engine_log(const engine_log_files& from);

// One metric of the log and of its twin.
struct twin_metric {
  std::string name{};  // "ttft_mean"
  double measured_s = 0, simulated_s = 0;
  [[nodiscard]] double relative_error() const { return measured_s == 0 ? 0 : simulated_s / measured_s - 1; }
};

struct twin_accuracy {
  std::vector<twin_metric> metrics{};  // mean, p50, p90, p95, p99 of TTFT, TPOT, latency
  double latency_correlation = 0, ttft_correlation = 0, tpot_correlation = 0;  // Pearson, over requests
  std::vector<request_timing> simulated{};                                     // one a request
  std::uint64_t preemptions = 0, steps = 0;
  std::uint64_t prompt_tokens = 0, prompt_hits = 0;
  derivation how{};
};

// Runs the log's requests through the twin of its engine and compares request by request. Nothing is fitted.
[[nodiscard]] result<twin_accuracy> compare_with_log(const engine_log& log, const iteration_timer& timer);

}  // namespace ridge::plan::serve
