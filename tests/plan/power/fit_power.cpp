// SPDX-License-Identifier: Apache-2.0
// Fits the shipped power models: A100 to the measurements of Splitwise (prefill and decode of two models at
// several sizes), H200 to the peak measurements kept in results/. Prints each with its errors, and with
// --write the data file. usage: plan_fit_power DATA RESULTS [--write FILE]      DATA holds serving/splitwise,
// RESULTS a machine's peaks/*.json
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <ridge/analysis/power.hpp>
#include <ridge/base/csv_reader.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/packed_file.hpp>

namespace {

using namespace ridge;
using analysis::power_row;
using json = nlohmann::json;

struct splitwise_row {
  std::string model{};
  double prompt = 0, batch = 0, peak_share = 0, watts_share = 0, prompt_s = 0, token_s = 0, total_s = 0,
         gpus = 1;
};

// Parameters of the models that Splitwise measured; every token uses all of them.
double parameters_of(const std::string& model) { return model == "bloom-176b" ? 176.2e9 : 68.98e9; }

result<std::vector<splitwise_row>> read_splitwise(const std::filesystem::path& file) {
  const auto text = plan::packed_file(plan::plain_or_packed(file));
  if (!text) return text.why();
  csv_reader c(*text);
  std::vector<splitwise_row> all;
  for (bool more = c.next() && c.next(); more; more = c.next()) {  // below the header
    if (c.size() < 11)
      return error{fmt::format("{}: line {}: {} cells", file.string(), c.line(), c.size()), ""};
    const auto number = [&](std::size_t i) { return std::stod(c.value(i)); };
    if (c.cell(1) != "a100-80gb" || number(6) <= 0) continue;
    all.push_back({.model = c.value(0),
                   .prompt = number(2),
                   .batch = number(3),
                   .peak_share = number(5),
                   .watts_share = number(6),
                   .prompt_s = number(7) / 1e3,
                   .token_s = number(8) / 1e3,
                   .total_s = number(9) / 1e3,
                   .gpus = number(10)});
  }
  return all;
}

power_row shares_of(const splitwise_row& r, const plan::accelerator& gpu) {
  const double n = parameters_of(r.model);
  const double in_prompt = r.prompt_s / r.total_s, in_tokens = 1 - in_prompt;
  const double flop_per_s =
      in_prompt * 2 * n * r.prompt * r.batch / r.prompt_s + in_tokens * 2 * n * r.batch / r.token_s;
  return {.memory_share = in_tokens * 2 * n / r.gpus / r.token_s / gpu.bandwidth_bytes_per_s,
          .compute_share = flop_per_s / r.gpus / gpu.peak_flop_per_s("bf16"),
          .watts = r.watts_share * gpu.power_w,
          .group = fmt::format("{} on {:g}", r.model, r.gpus)};
}

// The peak power of a run occurs during prompts, where the matrix units are busiest.
power_row prompt_shares_of(const splitwise_row& r, const plan::accelerator& gpu) {
  const double n = parameters_of(r.model);
  return {.memory_share = 2 * n / r.gpus / r.prompt_s / gpu.bandwidth_bytes_per_s,
          .compute_share = 2 * n * r.prompt * r.batch / r.prompt_s / r.gpus / gpu.peak_flop_per_s("bf16"),
          .watts = r.peak_share * gpu.power_w,
          .group = fmt::format("{} on {:g}", r.model, r.gpus)};
}

// Memory streams and products on the matrix units; the model has no terms for caches and vector lanes.
void add_peaks(const std::filesystem::path& file, const plan::accelerator& gpu,
               std::vector<power_row>& rows) {
  std::ifstream in(file);
  const auto whole = json::parse(in);
  for (const auto& c : whole.at("ceilings")) {
    const auto id = c.at("id").get<std::string>();
    const double watts = c.at("power_w").get<double>(), value = c.at("value").get<double>();
    if (watts <= 0) continue;
    for (const auto* stream :
         {"copy", "read", "triad", "memcpy", "memset", "write", "h2d.kernel", "d2h.kernel"}) {
      if (id == std::string("cuda.") + stream)
        rows.push_back({.memory_share = value / gpu.bandwidth_bytes_per_s, .watts = watts, .group = id});
    }
    for (const auto* type : {"bf16", "fp16", "tf32", "fp8", "int8"}) {
      if (id == std::string("cuda.mma.") + type || id == std::string("cuda.blas.") + type)
        rows.push_back({.compute_share = value / gpu.peak_flop_per_s(type), .watts = watts, .group = id});
    }
  }
}

double rounded(double v, double step) { return std::round(v / step) * step; }

json entry(const std::string& name, const analysis::power_model& m, const std::string& source) {
  return {{"gpu", name},
          {"limit_w", m.limit_w},
          {"idle_w", rounded(m.idle_w, 1)},
          {"memory_w", rounded(m.memory_w, 1)},
          {"compute_w", rounded(m.compute_w, 1)},
          {"rows", m.rows},
          {"capped", m.capped},
          {"median_error", rounded(m.median_error, 0.001)},
          {"p90_error", rounded(m.p90_error, 0.001)},
          {"source", source},
          {"date", "2026-11-22"}};
}

void show(const std::string& name, const analysis::power_model& m) {
  fmt::print(
      "{:16} idle {:3.0f} W, memory {:3.0f} W, matrix units {:3.0f} W, limit {:g} W; {} rows, {} at the "
      "limit; groups left out: "
      "median error {:.1f} %, p90 {:.1f} %\n",
      name, m.idle_w, m.memory_w, m.compute_w, m.limit_w, m.rows, m.capped, 100 * m.median_error,
      100 * m.p90_error);
}

bool add(json& document, const std::string& name, const std::vector<power_row>& rows, double limit_w,
         const std::string& source) {
  const auto m = analysis::fit_power(rows, limit_w);
  if (!m) {
    std::cerr << name << ": " << m.why().text() << '\n';
    return false;
  }
  show(name, *m);
  document["models"].push_back(entry(name, *m, source));
  return true;
}

int fit(const std::filesystem::path& data, const std::filesystem::path& results, const std::string& output) {
  const auto& catalogue = hardware::catalogue::embedded();
  const auto a100 = plan::accelerator_named(catalogue, "A100 SXM 80 GB");
  const auto h200 = plan::accelerator_named(catalogue, "H200 SXM");
  const auto measured = read_splitwise(data / "serving/splitwise/perf_model.csv");
  if (!measured) {
    std::cerr << measured.why().text() << '\n';
    return 1;
  }
  std::vector<power_row> serving, peaks;
  for (const auto& r : *measured) {
    serving.push_back(shares_of(r, *a100));
    serving.push_back(prompt_shares_of(r, *a100));
  }
  for (const auto& file : std::filesystem::directory_iterator(results / "peaks"))
    add_peaks(file.path(), *h200, peaks);
  json out{{"schema", "ridge.power/1"},
           {"about",
            "Power of a GPU in watts: min(limit, idle + memory * share of bandwidth + compute * share of the "
            "dense matrix peak). "
            "Errors: each group of rows predicted from the others. Written by plan_fit_power."},
           {"models", json::array()}};
  const bool all = add(out, "A100 SXM 80 GB", serving, a100->power_w,
                       "Splitwise (Patel et al. 2024), github.com/Mutinifni/splitwise-sim: prefill and "
                       "decode of two models") &&
                   add(out, "H200 SXM", peaks, h200->power_w,
                       "ridge peak on two H200: results/intel-xeon-x16-nvidia-h200/peaks");
  if (all && !output.empty()) std::ofstream(output) << out.dump(1) << '\n';
  return all ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() != 2 && !(words.size() == 4 && words[2] == "--write")) {
    std::cerr << "usage: plan_fit_power DATA RESULTS [--write FILE]\n";
    return 64;
  }
  return fit(words[0], words[1], words.size() == 4 ? words[3] : "");
}
