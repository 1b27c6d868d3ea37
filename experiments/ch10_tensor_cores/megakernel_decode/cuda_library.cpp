// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include <ridge/base/error.hpp>
#include <ridge/vendor/fastest.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "megakernel_decode.hpp"

namespace ridge::experiments::ch10_megakernel_decode {
namespace {

constexpr int most_algorithms = 16;

// The products by one kind of matrix, one for each layer.
class layer_products {
 public:
  // Matrices of `rows` x `terms` one after the other; each product goes to `target`, or is added to it.
  layer_products(std::size_t layers, input<bf16> matrices, std::size_t rows, std::size_t terms,
                 const between_products& b, float* target, bool added, std::span<std::byte> space) {
    const auto n = as_integer(rows), k = as_integer(terms);
    for (std::size_t layer = 0; layer < layers; ++layer) {
      plans_.emplace_back(
          vendor::product{.a = {b.operands.data(), CUDA_R_16BF, 1, k, k},
                          .b = {matrices.data() + layer * rows * terms, CUDA_R_16BF, n, k, k, true},
                          .target = target,
                          .pitch = n,
                          .base = added ? target : nullptr,
                          .beta = added ? 1.0 : 0.0},
          space.data(), most_algorithms);
    }
  }

  // Every algorithm makes the products of all layers, so that none finds its matrix in the cache.
  void choose_fastest(stream queue) {
    std::size_t count = most_algorithms;
    for (const auto& plan : plans_) count = std::min(count, plan.algorithms());
    if (plans_.empty()) return;
    best_ = vendor::fastest_of(count, queue, [&](std::size_t i) {
      return std::ranges::all_of(plans_, [&](const auto& plan) { return plan.try_algorithm(i, queue); });
    });
  }

  void operator()(std::size_t layer, stream queue) const {
    if (!plans_[layer].try_algorithm(best_, queue))
      throw failure({"cuBLASLt refuses the algorithm that it accepted before", ""});
  }

 private:
  std::vector<vendor::planned_matmul> plans_{};
  std::size_t best_ = 0;
};

class library_step {
 public:
  library_step(const workload& w, const between_products& b, std::span<std::byte> space, stream queue)
      : w_(w),
        b_(b),
        qkv_(w.size.layers, w.qkv, w.size.token_rows(), w.size.hidden(), b, b.made.data(), false, space),
        projection_(w.size.layers, w.projection, w.size.hidden(), w.size.hidden(), b, b.state.data(), true,
                    space),
        gate_up_(w.size.layers, w.gate_up, 2 * w.size.between(), w.size.hidden(), b, b.made.data(), false,
                 space),
        down_(w.size.layers, w.down, w.size.hidden(), w.size.between(), b, b.state.data(), true, space),
        head_(1, w.head, w.size.vocabulary, w.size.hidden(), b, w.logits.data(), false, space) {
    for (auto* products : {&qkv_, &projection_, &gate_up_, &down_, &head_}) products->choose_fastest(queue);
  }

  void operator()(stream queue) const {
    launch_embedding(w_, b_, queue);
    for (std::size_t layer = 0; layer < w_.size.layers; ++layer) {
      launch_norm(w_, 2 * layer, b_, queue);
      qkv_(layer, queue);
      launch_attention(w_, layer, b_, queue);
      projection_(layer, queue);
      launch_norm(w_, 2 * layer + 1, b_, queue);
      gate_up_(layer, queue);
      launch_gate(b_, queue);
      down_(layer, queue);
    }
    launch_norm(w_, 2 * w_.size.layers, b_, queue);
    head_(0, queue);
  }

 private:
  workload w_;
  between_products b_;
  layer_products qkv_, projection_, gate_up_, down_, head_;
};

}  // namespace

std::function<void(stream)> plan_library_step(const workload& w, const between_products& b,
                                              std::span<std::byte> space, stream queue) {
  return [step = std::make_shared<const library_step>(w, b, space, queue)](stream to) { (*step)(to); };
}

}  // namespace ridge::experiments::ch10_megakernel_decode
