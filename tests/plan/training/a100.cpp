// SPDX-License-Identifier: Apache-2.0
#include "a100.hpp"

#include <cstdint>
#include <iterator>

#include <fmt/format.h>

#include "megatron.hpp"

namespace ridge::plan::train {
namespace {

constexpr double hdr_port_bytes_per_s = 25e9;             // 200 Gb/s, one port per GPU
constexpr double omni_path_bytes_per_s = 4 * 12.5e9 / 8;  // four ports of 100 Gb/s for 8 GPUs
constexpr std::int64_t usual_tokens = 2048;

measured_run gpt_run(std::string name, const gpt_sizes& g, std::int64_t batch, std::int64_t sequence) {
  measured_run r{.name = std::move(name)};
  r.group = r.name;
  r.gpu = catalogue_gpu("A100 SXM 80 GB");
  r.links = usual_interconnect(r.gpu, hdr_port_bytes_per_s);
  r.job = {.model = gpt_shape(r.name, g, sequence), .global_batch = batch, .sequence = sequence};
  return r;
}

// FLOP of a step by formula (3) of Narayanan et al. (2021): all layers recomputed, attention not halved by
// its mask.
double narayanan_flop(const training_job& job) {
  const auto h = static_cast<double>(job.model.hidden), l = static_cast<double>(job.model.layers()),
             s = static_cast<double>(job.sequence), v = static_cast<double>(job.model.vocabulary);
  return 96 * static_cast<double>(job.global_batch) * s * l * h * h * (1 + s / (6 * h) + v / (16 * l * h));
}

void measured_by_flop(measured_run& r, double teraflop_per_s) {
  r.step_s = narayanan_flop(r.job) / (static_cast<double>(r.plan.layout.gpus()) * teraflop_per_s * 1e12);
}

struct narayanan_row {
  const char* billions;
  std::int64_t heads, hidden, layers;
  int tensor, pipeline, virtual_pipeline, gpus;
  std::int64_t batch;
  int micro_batch;
  double teraflop_per_s;
};
constexpr narayanan_row narayanan[] = {{"1.7B", 24, 2304, 24, 1, 1, 1, 32, 512, 4, 137},
                                       {"3.6B", 32, 3072, 30, 2, 1, 1, 64, 512, 4, 138},
                                       {"7.5B", 32, 4096, 36, 4, 1, 1, 128, 512, 4, 142},
                                       {"18.4B", 48, 6144, 40, 8, 1, 1, 256, 1024, 2, 135},
                                       {"39.1B", 64, 8192, 48, 8, 2, 2, 512, 1536, 2, 138},
                                       {"76.1B", 80, 10240, 60, 8, 4, 3, 1024, 1792, 2, 140},
                                       {"145.6B", 96, 12288, 80, 8, 8, 2, 1536, 2304, 1, 148},
                                       {"310.1B", 128, 16384, 96, 8, 16, 2, 1920, 2160, 1, 155},
                                       {"529.6B", 128, 20480, 105, 8, 35, 3, 2520, 2520, 1, 163},
                                       {"1008B", 160, 25600, 128, 8, 64, 2, 3072, 3072, 1, 163}};

measured_run run_of(const narayanan_row& p) {
  auto r = gpt_run(fmt::format("Megatron 2021 {}", p.billions),
                   {p.hidden, p.heads, p.layers, 51200, usual_tokens}, p.batch, usual_tokens);
  r.job.dropout = true;
  r.job.fused_attention = false;
  r.plan.layout = {.tensor = p.tensor,
                   .pipeline = p.pipeline,
                   .virtual_pipeline = p.virtual_pipeline,
                   .data = p.gpus / (p.tensor * p.pipeline)};
  r.plan.micro_batch = p.micro_batch;
  r.plan.recompute = recomputation::full;
  r.plan.shard = sharding::none;
  r.plan.sequence_parallel = false;
  r.plan.overlap_data_parallel = false;
  r.tensor_backward_overlap = 0;
  measured_by_flop(r, p.teraflop_per_s);
  return r;
}

constexpr gpt_sizes mpt_1b{2048, 16, 24, 50368, usual_tokens}, mpt_3b{2560, 20, 32, 50368, usual_tokens},
    mpt_7b{4096, 32, 32, 50368, usual_tokens}, mpt_13b{5120, 40, 40, 50368, usual_tokens},
    mpt_30b{7168, 56, 48, 50368, usual_tokens}, mpt_70b{8192, 64, 80, 50368, usual_tokens};

struct mpt_row {
  const char* name;
  const gpt_sizes& sizes;
  std::int64_t sequence;
  int gpus, micro_batch;
  std::int64_t batch;
  bool recomputed;
  double tokens_a_gpu_s;
};
constexpr mpt_row mpt[] = {
    {"70B", mpt_70b, 2048, 64, 8, 2048, true, 410}, {"70B", mpt_70b, 2048, 32, 2, 1024, true, 373},
    {"30B", mpt_30b, 4096, 8, 1, 168, true, 814},   {"30B", mpt_30b, 2048, 8, 3, 504, true, 916},
    {"30B", mpt_30b, 1024, 8, 6, 1008, true, 946},  {"13B", mpt_13b, 8192, 8, 5, 120, true, 1795},
    {"13B", mpt_13b, 4096, 8, 10, 240, true, 2060}, {"13B", mpt_13b, 2048, 8, 2, 48, false, 2262},
    {"13B", mpt_13b, 1024, 8, 40, 960, true, 2330}, {"7B", mpt_7b, 8192, 8, 8, 128, true, 3206},
    {"7B", mpt_7b, 4096, 8, 16, 256, true, 3684},   {"7B", mpt_7b, 2048, 8, 6, 96, false, 4641},
    {"7B", mpt_7b, 1024, 8, 64, 1024, true, 4357},  {"3B", mpt_3b, 8192, 8, 3, 144, false, 7695},
    {"3B", mpt_3b, 4096, 8, 5, 240, false, 9457},   {"3B", mpt_3b, 2048, 8, 10, 160, false, 10811},
    {"3B", mpt_3b, 1024, 8, 20, 960, false, 11580}, {"1B", mpt_1b, 8192, 8, 3, 96, false, 13814},
    {"1B", mpt_1b, 4096, 8, 7, 224, false, 17807},  {"1B", mpt_1b, 2048, 8, 14, 448, false, 20513},
    {"1B", mpt_1b, 1024, 8, 18, 576, false, 22112}};

measured_run run_of(const mpt_row& p) {
  auto sizes = p.sizes;
  sizes.positions = p.sequence;
  auto r = gpt_run(fmt::format("MPT {}", p.name), sizes, p.batch, p.sequence);
  r.name = fmt::format("{}, {} tokens, {} GPUs", r.group, p.sequence, p.gpus);
  r.plan.layout = {.data = p.gpus};
  r.plan.micro_batch = p.micro_batch;
  r.plan.recompute = p.recomputed ? recomputation::full : recomputation::none;
  r.plan.shard = sharding::weights;
  r.step_s = static_cast<double>(p.batch * p.sequence) / (p.tokens_a_gpu_s * p.gpus);
  return r;
}

measured_run bloom() {
  auto r = gpt_run("BLOOM 176B", {14336, 112, 70, 250880, 0}, 2048, usual_tokens);
  r.links = usual_interconnect(r.gpu, omni_path_bytes_per_s);
  r.job.fused_attention = false;
  r.plan.layout = {.tensor = 4, .pipeline = 12, .data = 8};
  r.plan.micro_batch = 2;
  r.plan.recompute = recomputation::full;
  r.plan.sequence_parallel = false;
  r.plan.overlap_data_parallel = false;
  r.tensor_backward_overlap = 0;
  measured_by_flop(r, 150);
  return r;
}

measured_run opt() {
  constexpr int replicas = 124;
  constexpr int sequences_a_replica = 8;
  auto r = gpt_run("OPT 175B", {12288, 96, 96, 50272, usual_tokens},
                   std::int64_t{replicas} * sequences_a_replica, usual_tokens);
  r.job.dropout = true;
  r.job.fused_attention = false;
  r.plan.layout = {.tensor = 8, .data = replicas};
  r.plan.micro_batch = sequences_a_replica;
  r.plan.recompute = recomputation::full;
  r.plan.shard = sharding::weights;
  r.plan.sequence_parallel = false;
  r.tensor_backward_overlap = 0;
  measured_by_flop(r, 147);
  return r;
}

}  // namespace

std::vector<measured_run> a100_runs() {
  auto all = megatron_runs();
  for (const auto& p : narayanan) all.push_back(run_of(p));
  for (const auto& p : mpt) all.push_back(run_of(p));
  all.push_back(bloom());
  all.push_back(opt());
  return all;
}

bool is_fitted(const measured_run& run) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : run.group) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash % 2 == 0;
}

}  // namespace ridge::plan::train
