// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/serve/measured_run.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <ridge/plan/packed_file.hpp>
#include <ridge/stats/quantile.hpp>

#include "correlation.hpp"
#include "json_scan.hpp"
#include "text_lines.hpp"
#include "time_text.hpp"

namespace ridge::plan::serve {
namespace {

std::optional<double> number_of(std::string_view object, std::string_view key) {
  const auto value = json_member(object, key);
  return value ? parse_number(*value) : std::nullopt;
}

// One line of an engine's log, with times on one clock; TTFT counts from the time at which the engine queued
// it.
std::optional<measured_request> of_engine_log(std::string_view line) {
  const auto prompt = number_of(line, "input_toks"), output = number_of(line, "output_toks");
  const auto queued = number_of(line, "queued_ts"), first = number_of(line, "first_token_ts"),
             last = number_of(line, "last_token_ts");
  if (!prompt || !output || !queued || !first || !last) return std::nullopt;
  const auto id = json_member(line, "request_id");
  return measured_request{.id = std::string(id ? json_unquoted(*id) : ""),
                          .prompt_tokens = static_cast<std::int64_t>(*prompt),
                          .output_tokens = static_cast<std::int64_t>(*output),
                          .arrival_s = *queued,
                          .ttft_s = *first - *queued,
                          .e2e_s = *last - *queued};
}

bool is_possible(const measured_request& m) {
  constexpr double rounding_s = 1e-3;  // logs that keep milliseconds
  return m.prompt_tokens > 0 && m.output_tokens > 0 && m.ttft_s >= 0 && m.e2e_s >= m.ttft_s - rounding_s;
}

error impossible(const std::string& where, const measured_request& m) {
  return {fmt::format(
              "{}: {} + {} tokens, a first token {:.6g} s and an end {:.6g} s after the arrival cannot be",
              where, m.prompt_tokens, m.output_tokens, m.ttft_s, m.e2e_s),
          "leave out requests that failed, and give times of one clock"};
}

std::optional<double> metric_of(std::string_view metrics, std::string_view name) {
  const auto metric = json_member(metrics, name);
  return metric ? number_of(*metric, "value") : std::nullopt;
}

std::optional<measured_request> of_aiperf(std::string_view line) {
  const auto metadata = json_member(line, "metadata"), metrics = json_member(line, "metrics");
  if (!metadata || !metrics) return std::nullopt;
  const auto start = number_of(*metadata, "request_start_ns");
  const auto prompt = metric_of(*metrics, "input_sequence_length"),
             output = metric_of(*metrics, "output_sequence_length"),
             ttft = metric_of(*metrics, "time_to_first_token"), e2e = metric_of(*metrics, "request_latency");
  if (!start || !prompt || !output || !ttft || !e2e) return std::nullopt;
  return measured_request{.prompt_tokens = static_cast<std::int64_t>(*prompt),
                          .output_tokens = static_cast<std::int64_t>(*output),
                          .arrival_s = *start / 1e9,
                          .ttft_s = *ttft / 1e3,
                          .e2e_s = *e2e / 1e3};
}

double sum_of(std::string_view numbers) {
  double sum = 0;
  json_elements e(numbers);
  while (e.next()) sum += parse_number(e.value()).value_or(0);
  return sum;
}

result<std::vector<measured_request>> of_vllm_bench(std::string_view text, const std::string& name) {
  const auto prompts = json_array(text, "input_lens"), outputs = json_array(text, "output_lens"),
             ttfts = json_array(text, "ttfts"), gaps = json_array(text, "itls"),
             starts = json_array(text, "start_times");
  const auto n = prompts.size();
  if (n == 0 || outputs.size() != n || ttfts.size() != n || gaps.size() != n)
    return error{fmt::format("{}: input_lens, output_lens, ttfts and itls have {}, {}, {} and {} elements",
                             name, n, outputs.size(), ttfts.size(), gaps.size()),
                 "run `vllm bench serve` with --save-result --save-detailed"};
  std::vector<measured_request> all;
  for (std::size_t i = 0; i < n; ++i) {
    const auto ttft = parse_number(ttfts[i]).value_or(0);
    all.push_back(
        {.prompt_tokens = parse_whole(prompts[i]).value_or(0),
         .output_tokens = parse_whole(outputs[i]).value_or(0),
         .arrival_s = starts.size() == n ? parse_number(starts[i]).value_or(0) : static_cast<double>(i),
         .ttft_s = ttft,
         .e2e_s = ttft + sum_of(gaps[i])});
    if (!is_possible(all.back())) return impossible(fmt::format("{}: request {}", name, i), all.back());
  }
  return all;
}

result<std::vector<measured_request>> of_lines(std::string_view text, const std::string& name) {
  std::vector<measured_request> all;
  text_lines lines(text);
  while (lines.next()) {
    const auto line = lines.line();
    if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
    auto one = of_engine_log(line);
    if (!one) one = of_aiperf(line);
    if (!one)
      return error{fmt::format("{}:{}: neither a line of an engine's log nor of aiperf's export", name,
                               lines.number()),
                   "give requests.jsonl with queued_ts, first_token_ts and last_token_ts, aiperf's "
                   "profile_export.jsonl, or the JSON of `vllm bench serve --save-detailed`"};
    if (!is_possible(*one)) return impossible(fmt::format("{}:{}", name, lines.number()), *one);
    all.push_back(std::move(*one));
  }
  return all;
}

double tpot_of(const measured_request& m) {
  return m.output_tokens > 1 ? (m.e2e_s - m.ttft_s) / static_cast<double>(m.output_tokens - 1) : 0;
}

double mean(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum += v;
  return x.empty() ? 0 : sum / static_cast<double>(x.size());
}

double quantile(std::vector<double> x, double q) {
  std::ranges::sort(x);
  return x.empty() ? 0 : stats::sorted_quantile(x, q);
}

measured_comparison::line line_of(std::string metric, const std::vector<double>& measured,
                                  const std::vector<double>& simulated) {
  measured_comparison::line l{.metric = std::move(metric)};
  l.measured_mean_s = mean(measured), l.simulated_mean_s = mean(simulated);
  l.measured_p50_s = quantile(measured, 0.5), l.simulated_p50_s = quantile(simulated, 0.5);
  l.measured_p99_s = quantile(measured, 0.99), l.simulated_p99_s = quantile(simulated, 0.99);
  if (l.measured_mean_s > 0) l.mean_error = l.simulated_mean_s / l.measured_mean_s - 1;
  l.correlation = correlation(measured, simulated);
  return l;
}

// Lengths of prompt and answer.
using request_lengths = std::pair<std::int64_t, std::int64_t>;

// For each measured request the simulated one of the same lengths, the first of them for the first: requests
// that arrive within milliseconds of each other are logged in another order than they were sent.
result<std::vector<std::size_t>> partners_of(const std::vector<measured_request>& measured,
                                             const std::vector<served_request>& simulated) {
  std::map<request_lengths, std::deque<std::size_t>> free;
  for (std::size_t i = 0; i < simulated.size(); ++i)
    free[{simulated[i].prompt_tokens, simulated[i].output_tokens}].push_back(i);
  std::vector<std::size_t> partners;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const auto& a = measured[i];
    const auto at = free.find({a.prompt_tokens, a.output_tokens});
    if (at == free.end() || at->second.empty())
      return error{fmt::format("request {} was measured with {} + {} tokens, and {} simulated has these "
                               "lengths",
                               i, a.prompt_tokens, a.output_tokens,
                               at == free.end() ? "no request that was" : "no further request that was"),
                   "simulate the trace of that run: --trace with the same file"};
    partners.push_back(at->second.front());
    at->second.pop_front();
  }
  return partners;
}

}  // namespace

result<std::vector<measured_request>> parse_measured_run(std::string_view text, const std::string& name) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    return error{fmt::format("{}: the file is empty", name), "give a log of requests"};
  const auto object = text.substr(first, json_value_length(text.substr(first)));
  auto all = json_member(object, "input_lens") ? of_vllm_bench(object, name) : of_lines(text, name);
  if (!all) return all;
  std::ranges::stable_sort(*all, {}, &measured_request::arrival_s);
  return all;
}

result<std::vector<measured_request>> read_measured_run(const std::filesystem::path& file) {
  const auto text = packed_file(file);
  if (!text) return text.why();
  return parse_measured_run(*text, file.filename().string());
}

result<measured_comparison> compare_with(const std::vector<measured_request>& measured,
                                         const std::vector<served_request>& simulated) {
  if (measured.size() != simulated.size())
    return error{fmt::format("the measured run has {} requests, the simulated one {}", measured.size(),
                             simulated.size()),
                 "simulate the trace of that run: --trace with the same file"};
  const auto partners = partners_of(measured, simulated);
  if (!partners) return partners.why();
  std::array<std::vector<double>, 3> m{}, s{};
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const auto& a = measured[i];
    const auto& b = simulated[(*partners)[i]];
    if (b.ended != outcome::finished) continue;
    m[0].push_back(a.ttft_s), s[0].push_back(b.ttft_s());
    m[1].push_back(tpot_of(a)), s[1].push_back(b.tpot_s());
    m[2].push_back(a.e2e_s), s[2].push_back(b.e2e_s());
  }
  measured_comparison made{.requests = m[0].size()};
  made.lines = {line_of("ttft", m[0], s[0]), line_of("tpot", m[1], s[1]), line_of("e2e", m[2], s[2])};
  return made;
}

}  // namespace ridge::plan::serve
