// SPDX-License-Identifier: Apache-2.0
#include "hta_cases.hpp"

#include <fstream>
#include <map>
#include <utility>

#include "fixtures/data.hpp"
#include "read_trace.hpp"

namespace ridge::trace::golden {
namespace {

using json = nlohmann::json;
using paths = std::vector<std::string>;

const std::map<std::string, paths>& traces_by_golden() {
  static const std::string w0 = "kineto/samples/resnet50_num_workers_0/",
                           w4 = "kineto/samples/resnet50_num_workers_4/";
  static const std::map<std::string, paths> known{
      {"hta_cupti", {"hta/cupti_profiler/benchmark_result_924719_1679055439_trace.json.gz"}},
      {"hta_df_index_resolver", {"hta/df_index_resolver/df_index_resolver.json.gz"}},
      {"hta_ns_resolution", {"hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz"}},
      {"hta_ns_resolution_exact", {"hta/ns_resolution_trace/rank-0.Apr_03_18_51_38.1102.pt.trace.json.gz"}},
      {"hta_sampled_2rank",
       {"hta/trace_filter/sampled_rank-0.json.gz", "hta/trace_filter/sampled_rank-1.json.gz"}},
      {"hta_trace_diff_control", {"hta/trace_diff/control/control.json.gz"}},
      {"hta_trace_diff_test", {"hta/trace_diff/test/test.json.gz"}},
      {"hta_triton", {"hta/triton_example/triton_example.json.gz"}},
      {"kineto_resnet50_w0_a", {w0 + "worker0.1623143089861.pt.trace.json.gz"}},
      {"kineto_resnet50_w4_a", {w4 + "worker0.1623212756351.pt.trace.json.gz"}},
      {"param_dlrm_8rank", {"param/dlrm_kineto.tar.gz"}},
      {"tl_h100_timesformer", {"tracelens/h100/facebook_timesformer-base-finetuned-k400__1016002.json.gz"}},
      {"tl_mi300_resnet_ckpt", {"tracelens/mi300/resnet_act_checkpoint.json.gz"}},
      {"tl_xdit_flux1", {"tracelens/inference/xdit_flux1_aiter_profile_rank0.json.gz"}}};
  return known;
}

std::vector<trace> traces_of(const std::string& golden) {
  std::vector<trace> out;
  for (const auto& below : traces_by_golden().at(golden)) {
    const auto path = fixtures::data_file("traces/" + below);
    if (path.empty()) return {};
    for (auto& t : read_traces(path)) out.push_back(std::move(t));
  }
  return out;
}

}  // namespace

std::vector<std::string> hta_case_names() {
  std::vector<std::string> names;
  for (const auto& [name, below] : traces_by_golden()) {
    names.push_back(name);
    names.push_back(name + ".last");
  }
  return names;
}

hta_case hta_case_of(const std::string& name) {
  const auto path = fixtures::data_file("traces/golden/hta/" + name + ".json");
  if (path.empty()) return {};
  const bool last = name.ends_with(".last");
  const auto golden = last ? name.substr(0, name.size() - 5) : name;
  return {.name = name,
          .printed = json::parse(std::ifstream(path)),
          .ranks = traces_of(golden),
          .options = {.include_last_step = last, .round_to_us = !golden.ends_with("_exact")}};
}

}  // namespace ridge::trace::golden
