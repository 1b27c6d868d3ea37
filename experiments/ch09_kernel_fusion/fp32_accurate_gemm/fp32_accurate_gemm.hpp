// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <ridge/harness/workload.hpp>
#include <ridge/workloads/product_problem.hpp>

namespace ridge::experiments::ch09_fp32_accurate_gemm {

// Rows of a and b begin a multiple of eight elements apart, so that those of their planes of two bytes suit
// tensor maps.
using workload = workloads::fp32_product;

[[gnu::weak]] ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

// Each number as a sum of narrower ones, its planes, and which products of planes are added: six of three
// planes of bf16, three of two of tf32, three of two of fp16, whose rows are scaled to the range of fp16
// before.
enum class split : std::uint8_t { bf16_six, tf32_three, fp16_three };

// Bytes of the planes of rows of `pitch` elements.
[[nodiscard]] std::size_t plane_bytes(split kind, std::size_t rows, std::size_t pitch);

// Where the planes of both operands are made, and the factors that undo the scales of their rows.
struct plane_memory {
  std::span<std::byte> a{}, b{};
  std::span<float> a_factors{}, b_factors{};
};

// One call's launches; they may be enqueued any number of times. The product has sums and terms. In
// kernels.cu.
[[nodiscard]] std::function<void(stream)> planned(split kind, const workload& w, const plane_memory& planes);

}  // namespace ridge::experiments::ch09_fp32_accurate_gemm
