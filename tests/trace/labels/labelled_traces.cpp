// SPDX-License-Identifier: Apache-2.0
#include "labelled_traces.hpp"

#include <array>

#include <nlohmann/json.hpp>

#include <fixtures/data.hpp>
#include <ridge/trace/importer.hpp>
#include <ridge/trace/open.hpp>

namespace ridge::backends::trace_chrome_json {
const trace::importer& chrome_json();
}  // namespace ridge::backends::trace_chrome_json
namespace ridge::backends::trace_ncu_csv {
const trace::importer& ncu_csv();
}  // namespace ridge::backends::trace_ncu_csv
namespace ridge::backends::trace_nsys_sqlite {
const trace::importer& nsys_sqlite();
}  // namespace ridge::backends::trace_nsys_sqlite

namespace ridge::trace::fixtures {
namespace {

using flops = std::array<double, number_type_count>;

flops of(std::initializer_list<std::pair<number_type, double>> rates) {
  flops all{};
  for (const auto& [type, rate] : rates) all[static_cast<std::size_t>(type)] = rate;
  return all;
}

}  // namespace

std::vector<label> labels_of(const char* group) {
  const auto all = nlohmann::json::parse(text_of(RIDGE_LABELS));
  std::vector<label> labels;
  for (const auto& in : all.at(group))
    labels.push_back({.file = in.at("file"),
                      .accepts = in.at("accepts"),
                      .must_not = in.at("must_not"),
                      .reason = in.at("reason"),
                      .says = in.value("says", ""),
                      .device = in.value("device", ""),
                      .flops = in.value("flops", 0.0)});
  return labels;
}

result<std::vector<trace>> traces_in(const std::string& file) {
  const std::array<const importer*, 3> importers{&backends::trace_chrome_json::chrome_json(),
                                                 &backends::trace_ncu_csv::ncu_csv(),
                                                 &backends::trace_nsys_sqlite::nsys_sqlite()};
  auto opened = open(file, importers, {.cache = false});
  if (!opened) return opened.why();
  return std::move(opened->traces);
}

std::vector<known_device> datasheets() {
  using enum number_type;
  known_device mi300x, h100, rtx5070;
  mi300x.peaks = {
      .name = "MI300X",
      .source = "datasheet",
      .bytes_per_s = 5.3e12,
      .vector_flop_per_s = of({{fp32, 163.4e12}, {fp64, 81.7e12}}),
      .matrix_flop_per_s =
          of({{bf16, 1307.4e12}, {fp16, 1307.4e12}, {tf32, 653.7e12}, {fp32, 163.4e12}, {fp8, 2614.9e12}}),
      .sms = 304};
  mi300x.reported = {"MI300X"};
  mi300x.architecture = "gfx942";
  h100.peaks = {
      .name = "H100 SXM",
      .source = "datasheet",
      .bytes_per_s = 3.35e12,
      .vector_flop_per_s = of({{fp32, 66.9e12}, {fp64, 33.5e12}}),
      .matrix_flop_per_s = of({{bf16, 989.4e12}, {fp16, 989.4e12}, {tf32, 494.7e12}, {fp8, 1978.9e12}}),
      .sms = 132};
  h100.reported = {"H100 80GB HBM3", "H100 SXM"};
  h100.architecture = "sm_90";
  rtx5070.peaks = {.name = "RTX 5070",
                   .source = "clocks and lanes",
                   .bytes_per_s = 672e9,
                   .vector_flop_per_s = of({{fp32, 32.256e12}}),
                   .matrix_flop_per_s = {},
                   .sms = 48};
  rtx5070.reported = {"RTX 5070"};
  return {mi300x, h100, rtx5070};
}

}  // namespace ridge::trace::fixtures
