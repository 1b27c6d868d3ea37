// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>
#include <ridge/workloads/product_problem.hpp>

namespace ridge::experiments::ch10_gemm_wgmma {

// Operands of the fp8 variants: the inputs times `fp8_factor`, rounded to e4m3, in rows of the same pitch;
// and the value of one step of a and, floats_a_scale further on, of b.
struct fp8_operands {
  std::span<e4m3> a{}, b{};
  std::span<float> scales{};
};
inline constexpr float fp8_factor = 16;
inline constexpr std::size_t floats_a_scale = 4;  // cuBLASLt wants each scale on 16 bytes of its own

// Square, and rows of a and b begin 16 elements apart or a multiple of it, as the copy engine needs in e4m3.
struct workload : workloads::bf16_product {
  fp8_operands own_fp8{}, vendors_fp8{};
};

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

// One call's launches; they may be enqueued any number of times. Products below have sums and terms.
using enqueued = std::function<void(stream)>;

// In simple.cu. Enqueues the product by fp32 multiply-adds on tiles in shared memory, and by the tensor
// cores from one stage in shared memory that a tensor map's copy fills.
void simt_product(const workload& w, stream queue);
[[nodiscard]] enqueued one_stage_product(const workload& w);

// In roles.cu: the steps from a block a tile to the whole, each with all before it.
enum class rung : std::uint8_t { ring, persistent, cluster, tensor_map_store };
[[nodiscard]] enqueued product_by(rung step, const workload& w);
// The tile and the order that the model of costs picks, by bf16 and by fp8.
[[nodiscard]] enqueued planned_bf16(const workload& w);
[[nodiscard]] enqueued planned_fp8(const workload& w);

// In simple.cu. Fills `target` from the inputs.
void narrow(const workload& w, const fp8_operands& target, stream queue);

}  // namespace ridge::experiments::ch10_gemm_wgmma
