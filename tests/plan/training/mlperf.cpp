// SPDX-License-Identifier: Apache-2.0
#include "mlperf.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include <ridge/base/csv_reader.hpp>
#include <ridge/base/expects.hpp>
#include <ridge/plan/packed_file.hpp>

namespace ridge::plan::train {
namespace {

// Micro-batch 1, pipeline 8, 8 chunks per stage, context 2; the tensor ranks and GPUs of each submission, by
// its name in the results: config_DGXH100_64x8x288xtp8pp8cp2.sh and so on.
struct submission {
  std::string_view system{}, gpu{};
  int tensor = 8, gpus = 0;
};
constexpr std::array<submission, 5> submissions{{{"eos-dfw_n64", "H100 SXM", 8, 512},
                                                 {"eos-dfw_n256", "H100 SXM", 8, 2048},
                                                 {"nebius_soperator_8xH200_n64", "H200 SXM", 4, 512},
                                                 {"carina_ngpu512", "GB200", 4, 512},
                                                 {"carina_ngpu1024", "GB200", 4, 1024}}};

constexpr double ndr_port_bytes_per_s = 50e9;  // 400 Gb/s, one port per GPU

model_shape llama_405b() {
  model_shape m{.name = "Llama-3.1-405B", .hidden = 16384, .vocabulary = 128256, .max_positions = 8192};
  layer_shape layer;
  layer.attention = {.heads = 128, .kv_heads = 8, .head_dim = 128, .value_head_dim = 128};
  layer.feed_forward = {.intermediate = 53248};
  layer.norm_parameters = 2 * m.hidden;
  m.kinds = {layer};
  m.order.assign(126, 0);
  return m;
}

const submission* find_submission(std::string_view system) {
  const auto at = std::ranges::find_if(submissions, [&](const submission& s) {
    return system.starts_with(s.system) && system.substr(s.system.size()).starts_with("_");
  });
  return at == submissions.end() ? nullptr : &*at;
}

std::vector<std::string> fields_of(const csv_reader& row) {
  std::vector<std::string> all;
  for (std::size_t i = 0; i < row.size(); ++i) all.push_back(row.value(i));
  return all;
}

std::size_t column(const std::vector<std::string>& header, std::string_view name) {
  const auto at = std::ranges::find(header, name);
  expects(at != header.end(), "llama31_405b_steps.csv lacks a column");
  return static_cast<std::size_t>(at - header.begin());
}

measured_run run_of(const submission& s, std::int64_t batch, std::int64_t sequence) {
  measured_run r;
  r.gpu = catalogue_gpu(s.gpu);
  r.links = usual_interconnect(r.gpu, ndr_port_bytes_per_s);
  r.job = {.model = llama_405b(), .global_batch = batch, .sequence = sequence, .compute_type = "fp8"};
  constexpr int pipeline = 8, context = 2;
  r.plan.layout = {.tensor = s.tensor, .pipeline = pipeline, .virtual_pipeline = 8, .context = context};
  r.plan.layout.data = s.gpus / (s.tensor * pipeline * context);
  return r;
}

}  // namespace

std::vector<measured_run> mlperf_runs(const std::filesystem::path& data) {
  const auto text =
      packed_file(plain_or_packed(data / "serving" / "mlperf_training" / "llama31_405b_steps.csv"));
  if (!text) return {};
  csv_reader reader(*text);
  if (!reader.next()) return {};
  const auto header = fields_of(reader);
  std::vector<measured_run> all;
  while (reader.next()) {
    const auto row = fields_of(reader);
    const auto* s = find_submission(row.at(column(header, "system")));
    if (s == nullptr) continue;
    auto r = run_of(*s, std::stoll(row.at(column(header, "global_batch"))),
                    std::stoll(row.at(column(header, "seq"))));
    r.group = s->system;
    r.name = r.group + ", " + row.at(column(header, "file"));
    r.step_s = std::stod(row.at(column(header, "step_s_median")));
    all.push_back(r);
  }
  return all;
}

measured_run mlperf_like(const measured_run& run, int data, std::int64_t global_batch) {
  auto r = run;
  r.plan.layout.data = data;
  r.job.global_batch = global_batch;
  r.step_s = 0;
  return r;
}

}  // namespace ridge::plan::train
