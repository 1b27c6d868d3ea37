// SPDX-License-Identifier: Apache-2.0
#include "labelled_traces.hpp"

#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fixtures/data.hpp>
#include <ridge/model/json.hpp>

namespace ridge::trace::fixtures {
namespace {

// The peaks of the device that the tables of counters were recorded on, an RTX 5070, from its clocks, lanes
// and memory: what `ridge peak --save` would write there.
std::string peaks_file(const cli::scene& scene) {
  model::peak_report report;
  report.environment.machine = "RTX 5070";
  report.peak.ceilings = {{.id = "cuda.read", .unit = "B/s", .value = 672e9},
                          {.id = "cuda.fma.fp32", .unit = "FLOP/s", .value = 32.256e12}};
  const auto path = scene.folder() / "peaks.json";
  std::ofstream(path) << model::peak_report_json(report);
  return path.string();
}

}  // namespace

std::vector<label> labels_of(const char* group, const char* file) {
  const auto all = nlohmann::json::parse(text_of(std::string(RIDGE_LABELS) + file));
  std::vector<label> labels;
  for (const auto& in : all.at(group))
    labels.push_back({.file = in.at("file"),
                      .accepts = in.at("accepts"),
                      .must_not = in.at("must_not"),
                      .reason = in.at("reason"),
                      .says = in.value("says", ""),
                      .as_counted = in.contains("device"),
                      .flops = in.value("flops", 0.0)});
  return labels;
}

told ask(const cli::scene& folder, const label& l) {
  auto words = fmt::format("diagnose --no-cache --json '{}'",
                           std::filesystem::absolute(data_file("traces/" + l.file)).string());
  if (l.as_counted) words += fmt::format(" --peaks {}", peaks_file(folder));
  if (l.flops > 0) words += fmt::format(" --kernel-work gemm={:.0f}", l.flops);
  const auto answer = folder.ridge(words);
  told made;
  if (answer.code != 0) {
    made.failed = answer.err;
    return made;
  }
  const auto page = nlohmann::json::parse(answer.out);
  for (const auto* list : {"doubts", "findings"}) {
    for (const auto& f : page.at(list)) {
      const bool alarm = f.at("alarm");
      if (alarm || std::string_view(list) == "findings")
        made.found.push_back({f.at("rule"), f.at("text"), alarm, f.at("share")});
    }
  }
  return made;
}

}  // namespace ridge::trace::fixtures
