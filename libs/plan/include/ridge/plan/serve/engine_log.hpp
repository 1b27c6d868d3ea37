// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/serve/engine_settings.hpp>
#include <ridge/plan/serve/iteration.hpp>
#include <ridge/plan/serve/request.hpp>

namespace ridge::plan::serve {

// The times at which one request was queued and its first and last token came.
struct request_timing {
  double queued_s = 0, first_token_s = 0, last_token_s = 0;
  std::uint32_t output_tokens = 0;

  // Seconds from queueing to the first and to the last token, and per further token (0 where there is one
  // token).
  [[nodiscard]] double ttft_s() const { return first_token_s - queued_s; }
  [[nodiscard]] double latency_s() const { return last_token_s - queued_s; }
  [[nodiscard]] double tpot_s() const;
};

// A measured run of a real engine: its setup, its requests and their times.
struct engine_log {
  std::string engine{}, model{}, device{};
  int tensor_parallel = 1;
  int data_parallel = 1;         // engines that share the requests, each with these settings
  bool expert_parallel = false;  // the engines divide the experts among their GPUs
  engine_settings settings{};
  request_table requests{};
  std::vector<request_timing> measured{};  // one per request
  std::vector<std::string> doubts{};       // what the files did not say, and what was assumed instead
};

// The files of a log; all but the requests may be left out.
struct engine_log_files {
  std::filesystem::path requests{};  // JSON lines: input_toks, output_toks, arrival_time, queued_ts, ...
  std::filesystem::path settings{};  // meta.json of the run; empty: the one beside the requests
  std::filesystem::path
      tokens{};              // JSON lines with input_tok_ids (and output_tok_ids), which show shared prefixes
  std::uint32_t blocks = 0;  // blocks of an engine's KV cache, instead of what the settings give; 0: theirs
};

// Reads a log in the format of LLMServingSim's bench (requests.jsonl, meta.json of vLLM 0.19). The error
// names the file and the line or member.
[[nodiscard]] result<engine_log> read_engine_log(const engine_log_files& files);

// One metric in seconds, measured and simulated.
struct twin_metric {
  std::string name{};  // "ttft_mean"
  double measured_s = 0, simulated_s = 0;
  // simulated / measured - 1; 0 when nothing was measured.
  [[nodiscard]] double relative_error() const { return measured_s == 0 ? 0 : simulated_s / measured_s - 1; }
};

// Comparison of a log with its simulation.
struct twin_accuracy {
  std::vector<twin_metric> metrics{};  // mean, p50, p90, p95, p99 of TTFT, TPOT, latency
  double latency_correlation = 0, ttft_correlation = 0, tpot_correlation = 0;  // Pearson's, over the requests
  std::vector<request_timing> simulated{};                                     // one per request
  std::uint64_t preemptions = 0, steps = 0;
  std::uint64_t prompt_tokens = 0, prompt_hits = 0;
  plan::derivation derivation{};
};

// Simulates the requests of the log with its engine settings and compares request by request; nothing is
// fitted. Of several engines each request goes to the least loaded, by vLLM's count: four for each request
// that waits and one for each that runs (v1/engine/core_client.py, DPLBAsyncMPClient). The error names the
// setting or request that cannot be simulated.
[[nodiscard]] result<twin_accuracy> compare_with_log(const engine_log& log, const iteration_timer& timer);

}  // namespace ridge::plan::serve
