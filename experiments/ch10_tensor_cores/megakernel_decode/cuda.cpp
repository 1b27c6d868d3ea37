// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/gpu/graph.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "megakernel_decode.hpp"

namespace ridge::experiments::ch10_megakernel_decode {
namespace {

// The words of a variant, with the token's rotation.
scratch words_of(const workload& w, setup& s) {
  if (w.size.kv_heads != compiled_kv_heads) {
    throw unavailable(fmt::format("kernels for {} heads of keys", w.size.kv_heads),
                      fmt::format("they are compiled for one model, with {}", compiled_kv_heads));
  }
  std::vector<float> rotation;
  for (std::size_t pair = 0; pair < width / 2; ++pair) {
    const double angle =
        as_real(w.size.context) * std::pow(rotation_base, -as_real(2 * pair) / as_real(width));
    rotation.push_back(as_float(std::cos(angle))), rotation.push_back(as_float(std::sin(angle)));
  }
  const auto own = s.workspace<std::uint32_t>(scratch_words());
  gpu::check(cudaMemcpyAsync(own.data(), rotation.data(), rotation.size() * sizeof(float),
                             cudaMemcpyHostToDevice, s.queue()),
             "cudaMemcpyAsync of the rotation");
  return own;
}

template <void (*Launch)(const workload&, scratch, stream)>
auto enqueued(workload& shape, setup& s) {
  return [own = words_of(shape, s)](workload& w, call& c) { Launch(w, own, c.queue()); };
}

auto replay(setup& s, const std::function<void(stream)>& step) {
  gpu::graph recorded([&](cudaStream_t capture) { step(stream(capture)); });
  recorded.upload(s.queue());
  return [recorded = std::move(recorded)](workload&, call& c) { recorded.launch(c.queue()); };
}

template <void (*Launch)(const workload&, scratch, stream)>
auto recorded(workload& w, setup& s) {
  const auto own = words_of(w, s);
  return replay(s, [&](stream queue) { Launch(w, own, queue); });
}

auto cublaslt(workload& w, setup& s) {
  const auto own = words_of(w, s);
  const between_products b{.state = s.workspace<float>(w.size.hidden()),
                           .made = s.workspace<float>(2 * w.size.between()),
                           .operands = s.workspace<bf16>(w.size.between()),
                           .own = own};
  const auto space = s.workspace<std::byte>(vendor::workspace_bytes);
  return replay(s, plan_library_step(w, b, space, s.queue()));
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "kernels",
       .is = role::baseline,
       .idea = "seven kernels a layer, one launch after the other",
       .run = enqueued<launch_kernels>,
       .needs = {.compute_capability = {8, 0}}},
      {.name = "graph",
       .idea = "the same launches, recorded once",
       .run = recorded<launch_kernels>,
       .needs = {.compute_capability = {8, 0}}},
      {.name = "dependent",
       .idea = "a kernel begins while the one before runs, and fetches its first weights meanwhile",
       .run = recorded<launch_dependent_kernels>,
       .needs = {.compute_capability = {9, 0}}},
      {.name = "persistent",
       .idea = "one kernel: weights arrive in a ring of 192 KiB a multiprocessor, whatever stage the blocks "
               "are at",
       .run = enqueued<launch_persistent>,
       .needs = {.compute_capability = {9, 0}}},
      {.name = "cublaslt",
       .is = role::comparator,
       .idea = "the library's products in a graph, each by the fastest of 16 algorithms, and our kernels "
               "between them",
       .run = cublaslt,
       .needs = {.compute_capability = {9, 0}},
       .within = tolerance{.abs = 0.06, .rel = 0x1p-7},
       .tolerance_reason = "its products take activations in bf16: each is wrong by 2^-9 of itself at most",
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch10_megakernel_decode
