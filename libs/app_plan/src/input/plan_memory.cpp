// SPDX-License-Identifier: Apache-2.0
#include "input/plan_memory.hpp"

#include <fmt/format.h>

namespace ridge::app_plan {

result<memory_of_gpu> memory_of_gpu_of(const gpu_choice& c, const std::optional<double>& gib) {
  if (c.name.empty()) return error{"no GPU is given", "give --gpu NAME; `ridge plan gpus` lists them"};
  const auto gpu = gpu_of(c);
  if (!gpu) return gpu.why();
  if (gib && !(*gib > 0 && *gib < 1e6))
    return error{fmt::format("--memory {}: no size of a GPU's memory", *gib),
                 "give GiB, as nvidia-smi shows them"};
  constexpr double bytes_of_gib = 1024.0 * 1024 * 1024;
  return memory_of_gpu{*gpu, gib ? *gib * bytes_of_gib : gpu->memory_bytes};
}

result<void> check_gpus(const plan::parallel_layout& l) {
  constexpr double most = 1e9;
  const double gpus = static_cast<double>(l.tensor) * l.pipeline * l.context * l.data;
  const double chunks = static_cast<double>(l.pipeline) * l.virtual_pipeline;
  const double experts = static_cast<double>(l.expert) * l.expert_tensor;
  for (const double n : {gpus, chunks, experts})
    if (n > most) return error{fmt::format("{:.3g} GPUs", n), "give a layout of at most 1e9"};
  return {};
}

}  // namespace ridge::app_plan
