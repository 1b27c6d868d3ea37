// SPDX-License-Identifier: Apache-2.0
#include "invented_names.hpp"

#include <array>

#include <fmt/format.h>

namespace ridge::trace::generator {

std::vector<std::string> frame_names() {
  constexpr std::array modules{"lattice/engine/scheduler",
                               "lattice/layers/attention_block",
                               "lattice/core/dispatch",
                               "lattice/layers/rotary_embedding",
                               "pipes/stage_runner",
                               "tensorkit/graph/replayer",
                               "tensorkit/nn/container",
                               "lattice/quant/packed_linear",
                               "pipes/sampler",
                               "tensorkit/autocast",
                               "lattice/distributed/shards",
                               "lattice/engine/batching"};
  constexpr std::array functions{
      "forward", "__call__",         "_run_stage", "wrapped",   "apply_rotary",    "_prepare_inputs",
      "step",    "decode_one_token", "<listcomp>", "to_device", "inner_with_cache"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 1500; ++i) {
    const auto *module = modules[i * 7 % modules.size()], *function = functions[i * 5 % functions.size()];
    names.push_back(i % 4 == 3 ? fmt::format("<built-in method {} of type object at 0x7f{:06x}>", function, i)
                               : fmt::format("{}.py({}): {}", module, 20 + i, function));
  }
  return names;
}

std::vector<std::string> kernel_names() {
  constexpr std::array families{"tiled_gemm", "fused_attention_forward", "elementwise_map", "layer_norm_rows",
                                "permute_copy"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 135; ++i) {
    const auto* family = families[i % families.size()];
    names.push_back(fmt::format(
        "void lattice::kernels::{0}_kernel<{1}, 128, lattice::layout::row_major, "
        "lattice::epilogue::scaled<{1}, "
        "lattice::vector<float, 4ul> >, lattice::schedule::persistent<{2}> >(lattice::{0}_arguments<{1}, "
        "lattice::layout::row_major>, float const*, {1}*, int, int, long)",
        family, i % 2 == 0 ? "lattice::bfloat16" : "lattice::float8_e4m3", 16 + i));
  }
  return names;
}

std::vector<std::string> op_names() {
  constexpr std::array verbs{"view", "empty", "linear", "matmul", "add", "copy_", "norm", "transpose"};
  std::vector<std::string> names;
  for (std::size_t i = 0; i < 160; ++i)
    names.push_back(fmt::format("kit::{}_{}", verbs[i % verbs.size()], i / 8));
  return names;
}

std::vector<std::string> call_names() {
  return {"gpuLaunchKernel", "gpuMemcpyAsync",        "gpuGetDeviceProperties", "gpuStreamGetDevice",
          "gpuEventRecord",  "gpuModuleLaunchKernel", "gpuStreamIsCapturing",   "gpuDeviceGetAttribute"};
}

}  // namespace ridge::trace::generator
