// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/side_stream.hpp>
#include <ridge/host/gpu_driver.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "serving/exchange_timing.hpp"
#include "serving/timed_calls.hpp"

namespace ridge::backends::probe_cuda {
namespace {

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

probe::timed_machine machine_of(int index) {
  int count = 0;
  const auto asked = cudaGetDeviceCount(&count);
  if (asked != cudaSuccess || count == 0)
    throw unavailable("a GPU", asked == cudaSuccess ? "CUDA sees none" : cudaGetErrorString(asked));
  if (index < 0 || index >= count)
    throw unavailable(fmt::format("GPU {}", index), fmt::format("CUDA sees GPUs 0 to {}", count - 1));
  gpu::check(cudaSetDevice(index), "cudaSetDevice");
  cudaDeviceProp properties{};
  gpu::check(cudaGetDeviceProperties(&properties, index), "cudaGetDeviceProperties");
  int driver = 0, runtime = 0;
  gpu::check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  gpu::check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  return {.name = properties.name,
          .driver = fmt::format("{} (CUDA {})", host::gpu_driver(), version_text(driver)),
          .runtime = "CUDA " + version_text(runtime),
          .has_fp8 = properties.major > 8 || (properties.major == 8 && properties.minor >= 9),
          .gpus = count};
}

class timer final : public probe::kernel_timer {
 public:
  explicit timer(int index) : machine_(machine_of(index)), exchanges_(index, machine_.gpus) {}

  const probe::timed_machine& machine() const override { return machine_; }

  result<probe::kernel_timing> time(const model::kernel_call& call) override {
    try {
      if (call.format == "fp8" && !machine_.has_fp8)
        throw unavailable("fp8 products", "the matrix units of this GPU lack the type");
      return timed(call);
    } catch (const failure& why) {
      return why.why();
    }
  }

 private:
  probe::kernel_timing timed(const model::kernel_call& call) {
    if (call.size("ranks") > 0) return exchanges_.time(call);
    if (!pool_) pool_.emplace();
    const timing_bench bench{stream_, *pool_, workspace_.data()};
    if (call.kernel == "product") return timed_product(bench, call);
    if (call.kernel == "decode_attention" && call.format == "bf16") return timed_decode(bench, call);
    if (call.kernel == "experts" && call.format == "bf16") return timed_experts(bench, call);
    if (call.kernel == "elementwise") return timed_elementwise(bench, call);
    if (call.kernel == "launch") return timed_launch(bench, call);
    throw unavailable(call.kernel + " of " + call.format, "this build does not measure it on a GPU");
  }

  probe::timed_machine machine_;
  exchange_bench exchanges_;
  gpu::side_stream stream_{};
  gpu::device_memory workspace_{vendor::workspace_bytes};
  std::optional<operand_pool> pool_{};
};

}  // namespace

// Times kernels of serving steps on the GPU that CUDA gives this index. Throws unavailable where there is
// none.
std::unique_ptr<probe::kernel_timer> make_kernel_timer(int index) { return std::make_unique<timer>(index); }

}  // namespace ridge::backends::probe_cuda
