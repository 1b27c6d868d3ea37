// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/plan/kernels/calibration.hpp>

namespace ridge::plan::kernels {
namespace {

using nlohmann::json;

// The arrays of the file, with one entry per request.
struct bench_columns {
  const json *inputs, *outputs, *ttfts, *itls, *starts;
};

error lacking(std::string_view name, const std::string& member) {
  return {fmt::format("{}: {}", name, member),
          "run `vllm bench serve --save-result --save-detailed` of a version that writes start_times"};
}

result<bench_columns> bench_columns_of(const json& whole, std::string_view name) {
  bench_columns c{};
  const json** places[] = {&c.inputs, &c.outputs, &c.ttfts, &c.itls, &c.starts};
  const char* names[] = {"input_lens", "output_lens", "ttfts", "itls", "start_times"};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const auto at = whole.find(names[i]);
    if (at == whole.end() || !at->is_array())
      return lacking(name, fmt::format("/{}: is not an array", names[i]));
    *places[i] = &*at;
    if (at->size() != c.inputs->size())
      return lacking(name, fmt::format("/{}: {} entries where input_lens has {}", names[i], at->size(),
                                       c.inputs->size()));
  }
  return c;
}

double number_or_none(const json& document) { return document.is_number() ? document.get<double>() : -1; }

double sum(const json& document) {
  double all = 0;
  for (const auto& one : document) all += std::max(number_or_none(one), 0.0);
  return all;
}

}  // namespace

result<serve::engine_log> parse_bench_log(std::string_view text, std::string_view name) {
  const auto whole = json::parse(text, nullptr, false);
  if (!whole.is_object()) return lacking(name, "is not a JSON object");
  const auto c = bench_columns_of(whole, name);
  if (!c) return c.why();
  serve::engine_log log;
  log.engine = "vllm";
  if (const auto model = whole.find("model_id"); model != whole.end() && model->is_string())
    log.model = model->get<std::string>();
  double first = HUGE_VAL;
  for (const auto& s : *c->starts) first = std::min(first, number_or_none(s));
  for (std::size_t i = 0; i < c->inputs->size(); ++i) {
    const double input = number_or_none((*c->inputs)[i]), output = number_or_none((*c->outputs)[i]);
    const double ttft = number_or_none((*c->ttfts)[i]), start = number_or_none((*c->starts)[i]);
    // A failed request has no tokens and cannot be timed.
    if (input < 1 || output < 1 || ttft <= 0) continue;
    if (start < 0) return lacking(name, fmt::format("/start_times/{}: is not a valid duration", i));
    serve::request r;
    r.arrival_s = start - first;
    r.input_tokens = static_cast<std::uint32_t>(input), r.output_tokens = static_cast<std::uint32_t>(output);
    log.requests.add(r);
    const double token = r.arrival_s + ttft;
    log.measured.push_back({r.arrival_s, token, token + sum((*c->itls)[i]), r.output_tokens});
  }
  if (log.measured.size() < c->inputs->size())
    log.doubts.push_back(
        fmt::format("{} requests without tokens left out", c->inputs->size() - log.measured.size()));
  return log;
}

}  // namespace ridge::plan::kernels
