// SPDX-License-Identifier: Apache-2.0
// Plans searched per second, for models and numbers of GPUs:
//   plan_search_speed [REPEATS] [THREADS]
// Prints one line per case: plans evaluated (memory computed), those of them that fit (time computed as
// well), the shortest of REPEATS wall times, plans per second and core, and the fastest plan.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/interconnect.hpp>
#include <ridge/plan/model_catalogue.hpp>
#include <ridge/plan/train/search.hpp>
#include <ridge/plan/train/step_time.hpp>
#include <ridge/plan/train/training_memory.hpp>

namespace {

using namespace ridge;
using namespace ridge::plan;

struct speed_case {
  std::string model;
  std::string gpu;
  std::vector<std::int64_t> gpus;
  std::int64_t batch;
  std::int64_t sequence;
  std::vector<std::string> types;
};

void measure(const speed_case& c, int repeats, int threads) {
  const auto gpu = accelerator_named(hardware::catalogue::embedded(), c.gpu).value();
  const auto links = usual_interconnect(gpu);
  std::vector<train::memory_model> memories;
  std::vector<train::step_model> times;
  std::vector<std::unique_ptr<train::plan_models>> models;
  train::search_request asked;
  asked.job = {.model = model_named(c.model).value(), .global_batch = c.batch, .sequence = c.sequence};
  memories.reserve(c.types.size());
  times.reserve(c.types.size());
  for (const auto& type : c.types) {
    asked.job.compute_type = type;
    memories.emplace_back(asked.job);
    times.emplace_back(asked.job, gpu, links, train::training_coefficients_of(gpu));
    models.push_back(train::models_of(memories.back(), times.back()));
  }
  std::vector<const train::plan_models*> precisions;
  for (const auto& m : models) precisions.push_back(m.get());
  asked.gpus = c.gpus;
  asked.memory_bytes = gpu.memory_bytes;
  asked.space.scale_up_size = gpu.scale_up_size;
  asked.threads = threads;
  const auto axes = train::axes_of(asked.job, asked.space);
  train::search_result found;
  double best = 1e9;
  for (int i = 0; i < repeats; ++i) {
    found = train::search(asked, *axes, precisions);
    best = std::min(best, found.wall_s);
  }
  const double evaluated = static_cast<double>(found.evaluated);
  fmt::print("{:<28} {:>7} GPUs {:>9} evaluated {:>9} timed {:>8.2f} ms {:>6.2f} M/s/core  {}\n", c.model,
             c.gpus.back(), found.evaluated, found.timed, best * 1e3, evaluated / best / found.threads / 1e6,
             found.best.empty() ? "nothing fits" : found.best.front().plan.text());
}

}  // namespace

int main(int count, char** arguments) {
  const int repeats = count > 1 ? std::atoi(arguments[1]) : 5;
  const int threads = count > 2 ? std::atoi(arguments[2]) : 1;
  fmt::print("{} threads, best of {}\n", threads, repeats);
  const std::vector<std::string> bf16{"bf16"}, both{"bf16", "fp8"};
  for (const speed_case& c : {speed_case{"meta-llama/Llama-3.1-8B", "H100", {8}, 128, 8192, bf16},
                              speed_case{"meta-llama/Llama-3.1-70B", "H100", {256}, 512, 8192, bf16},
                              speed_case{"meta-llama/Llama-3.1-405B", "H100", {2432}, 1216, 8192, bf16},
                              speed_case{"meta-llama/Llama-3.1-405B", "H100", {16384}, 2048, 8192, both},
                              speed_case{"meta-llama/Llama-3.1-405B", "H100", {131072}, 16384, 8192, bf16},
                              speed_case{"meta-llama/Llama-3.1-405B", "H100", {131072}, 16384, 8192, both},
                              speed_case{"deepseek-ai/DeepSeek-V3", "H100", {2048}, 15360, 4096, both},
                              speed_case{"deepseek-ai/DeepSeek-V3", "H100", {131072}, 16384, 4096, bf16}})
    measure(c, repeats, threads);
  return 0;
}
