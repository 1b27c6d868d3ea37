// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include <ridge/base/element.hpp>
#include <ridge/harness/workload.hpp>

namespace ridge::experiments::ch10_megakernel_decode {

// The extents of a model with Llama's layers: heads of 64 numbers, four queries to a key, and four times as
// many numbers between the two products of the feed-forward part as in the hidden state.
inline constexpr std::size_t width = 64, group = 4;
struct extents {
  std::size_t layers = 0, kv_heads = 0, context = 0, vocabulary = 0;
  [[nodiscard]] constexpr std::size_t heads() const { return group * kv_heads; }
  [[nodiscard]] constexpr std::size_t hidden() const { return width * heads(); }
  [[nodiscard]] constexpr std::size_t between() const { return 4 * hidden(); }
  // Rows of queries, keys and values of a token, and of its keys and values alone.
  [[nodiscard]] constexpr std::size_t token_rows() const { return hidden() + kept_rows(); }
  [[nodiscard]] constexpr std::size_t kept_rows() const { return 2 * width * kv_heads; }
};

// One step of one sequence: the token whose embedding is given follows `context` tokens whose keys (rotated)
// and values are in the cache. Matrices are row-major, a row to an output. Two neighbours of a head are
// rotated together, as in the published weights.
struct workload {
  extents size{};
  input<bf16> embedding{};   // hidden
  input<bf16> norms{};       // factors: two rows a layer, of hidden numbers, and one after the last
  input<bf16> qkv{};         // layers x token_rows x hidden
  input<bf16> projection{};  // layers x hidden x hidden
  input<bf16> gate_up{};     // layers x (gate, up) x between x hidden
  input<bf16> down{};        // layers x hidden x between
  input<bf16> head{};        // vocabulary x hidden
  input<bf16> cache{};       // layers x (keys, values) x kv_heads x context x width
  output<float> logits{};    // vocabulary
  output<bf16> appended{};   // layers x (keys, values) x kv_heads x width
};

inline constexpr float epsilon = 1e-5F;          // of the norms
inline constexpr double rotation_base = 500000;  // Llama 3's

ladder<workload> cpu();
[[gnu::weak]] ladder<workload> cuda();

// In kernels.cu and persistent.cu, for the extents of Llama-3.2-1B alone: kv_heads is 8.
inline constexpr std::size_t compiled_kv_heads = 8;
// Words that the kernels of a step hand on to each other, zero before the first step of their own but for the
// first `width`: cosine and sine of the token's rotation for each pair of a head.
[[nodiscard]] std::size_t scratch_words();
using scratch = std::span<std::uint32_t>;
// Each enqueues on `queue`. A step by seven kernels a layer, and the same as programmatic dependent launches.
void launch_kernels(const workload& w, scratch own, stream queue);
void launch_dependent_kernels(const workload& w, scratch own, stream queue);
// A step by one kernel whose blocks stay.
void launch_persistent(const workload& w, scratch own, stream queue);

// The kernels between the products of a library. Operands of products are bf16, in `operands`, of which the
// first numbers are used; what products make is fp32: the hidden state, and `made`, which holds queries, keys
// and values or both inputs of the gate.
struct between_products {
  std::span<float> state{}, made{};
  std::span<bf16> operands{};
  scratch own{};
};
void launch_embedding(const workload& w, const between_products& b, stream queue);
// Norm number `index` of the hidden state to `operands`.
void launch_norm(const workload& w, std::size_t index, const between_products& b, stream queue);
// Rotates queries and keys, appends the token to the cache and attends, to `operands`.
void launch_attention(const workload& w, std::size_t layer, const between_products& b, stream queue);
void launch_gate(const between_products& b, stream queue);

// In cuda_library.cpp: a step by cuBLASLt's products, each by the fastest of the algorithms that its
// heuristic proposes, timed on all layers in turn. `space` is room for the library.
[[nodiscard]] std::function<void(stream)> plan_library_step(const workload& w, const between_products& b,
                                                            std::span<std::byte> space, stream queue);

}  // namespace ridge::experiments::ch10_megakernel_decode
