// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/cudnn_attention.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "flash_attention_forward.hpp"

namespace ridge::experiments::ch10_flash_attention_forward {
namespace {

// Products by cuBLASLt and a softmax kernel between them, for as many heads of a group at once as fit 1 GiB
// of scores.
class unfused {
 public:
  unfused(const workload& w, setup& s) : batch_(heads_at_once(w.size)), pitch_((w.size.tokens + 7) / 8 * 8) {
    if (w.o.empty()) return;
    scores_ = s.workspace<float>(product(batch_, w.size.tokens, pitch_));
    weights_ = s.workspace<bf16>(scores_.size());
    workspace_ = s.workspace<std::byte>(vendor::workspace_bytes);
    for (std::size_t head = 0; head < w.size.heads; head += batch_) plan(w, head);
  }

  void operator()(workload& w, call& c) const {
    const score_rows rows{scores_.data(), weights_.data(), batch_ * w.size.tokens,
                          w.size.tokens,  pitch_,          w.size.causal};
    for (const auto& [scores, sums] : products_) {
      scores(c.queue());
      launch_softmax(rows, 1 / std::sqrt(static_cast<float>(w.size.width)), c.queue());
      sums(c.queue());
    }
  }

 private:
  static std::size_t heads_at_once(const extents& size) {
    constexpr std::size_t most = std::size_t{1} << 28;
    std::size_t heads = size.group();
    while (heads > 1 && (heads * size.tokens * size.tokens > most || size.group() % heads != 0)) --heads;
    return heads;
  }

  void plan(const workload& w, std::size_t head) {
    const auto& size = w.size;
    const auto tokens = as_integer(size.tokens), width = as_integer(size.width), pitch = as_integer(pitch_);
    const auto row = as_integer(size.heads * size.width), kv_row = as_integer(size.kv_heads * size.width);
    const auto kv = head / size.group() * size.width;
    const auto between = tokens * pitch;  // elements from one head's scores to the next's
    vendor::product scores{
        .a = {w.q.data() + head * size.width, CUDA_R_16BF, tokens, width, row, false, nullptr, width},
        .b = {w.k.data() + kv, CUDA_R_16BF, tokens, width, kv_row, true},
        .target = scores_.data(),
        .pitch = pitch,
        .batch = as_int(batch_),
        .batch_stride = between};
    vendor::product sums{.a = {weights_.data(), CUDA_R_16BF, tokens, tokens, pitch, false, nullptr, between},
                         .b = {w.v.data() + kv, CUDA_R_16BF, tokens, width, kv_row},
                         .target = w.o.data() + head * size.width,
                         .pitch = row,
                         .target_type = CUDA_R_16BF,
                         .batch = as_int(batch_),
                         .batch_stride = width};
    products_.emplace_back(vendor::planned_matmul(scores, workspace_.data()),
                           vendor::planned_matmul(sums, workspace_.data()));
  }

  std::size_t batch_, pitch_;
  std::span<float> scores_{};
  std::span<bf16> weights_{};
  std::span<std::byte> workspace_{};
  std::deque<std::pair<vendor::planned_matmul, vendor::planned_matmul>> products_{};
};

auto stored_scores(workload& w, setup& s) {
  return [steps = std::make_shared<unfused>(w, s)](workload& own, call& c) { (*steps)(own, c); };
}

// The body of a kernel that is compiled for heads of 64 and 128 columns.
template <void (*Launch)(const workload&, stream)>
auto tiles(workload& w, setup&) {
  if (w.size.width != 64 && w.size.width != 128) {
    throw unavailable(fmt::format("a kernel for heads of {} columns", w.size.width),
                      "kernels are compiled for 64 and 128 columns");
  }
  return [](workload& own, call& c) { Launch(own, c.queue()); };
}

auto cudnn(workload& w, setup& s) {
  std::shared_ptr<vendor::cudnn_attention> plan;
  if (!w.o.empty()) {
    const auto& size = w.size;
    plan = std::make_shared<vendor::cudnn_attention>(
        vendor::attention{size.tokens, size.heads, size.kv_heads, size.width, size.causal, w.q.data(),
                          w.k.data(), w.v.data(), w.o.data()},
        s.queue());
    plan->choose(s.workspace<std::byte>(plan->workspace_bytes()).data());
  }
  return [plan](workload&, call&) {
    if (plan) plan->enqueue();
  };
}

// Scores in fp32 are written and read twice, and weights in bf16 written and read, beside the arrays
// themselves.
double traffic_of_scores(const problem& p) {
  const double arrays = 2 * p.real("tokens") * p.real("width") * (2 * p.real("heads") + p.real("heads") / 4);
  return arrays + p.real("heads") * p.real("tokens") * p.real("tokens") * (3 * 4 + 2 * 2);
}

}  // namespace

// Why gains over stored scores exceed ten times.
constexpr auto no_scores =
    "the baseline moves sixteen bytes through memory for every score, and computes those that a causal mask "
    "hides";

ladder<workload> cuda() {
  return {
      {.name = "unfused",
       .is = role::baseline,
       .idea = "two products by cuBLASLt and a softmax kernel: all scores go through memory",
       .run = stored_scores,
       .needs = {.library = "cublaslt", .compute_capability = {8, 0}},
       .traffic = traffic_of_scores,
       .arithmetic = arithmetic::bf16},
      {.name = "mma_sync",
       .idea = "online softmax between the matrix instructions of a warp: scores stay in registers",
       .run = tiles<launch_by_warps>,
       .needs = {.compute_capability = {8, 0}},
       .explanation = no_scores,
       .arithmetic = arithmetic::bf16},
      {.name = "wgmma",
       .idea = "the matrix instructions of four warps read keys and values from shared memory themselves",
       .run = tiles<launch_by_warpgroups>,
       .needs = {.architecture = "sm_90a"},
       .explanation = no_scores,
       .arithmetic = arithmetic::bf16},
      {.name = "specialized",
       .idea = "one warp copies, three warpgroups compute at their own pace, blocks stay for many tiles",
       .run = tiles<launch_specialized>,
       .needs = {.architecture = "sm_90a"},
       .explanation = no_scores,
       .arithmetic = arithmetic::bf16},
      {.name = "overlapped",
       .idea = "two warpgroups take turns to multiply, each with its next scores in flight during a softmax",
       .run = tiles<launch_overlapped>,
       .needs = {.architecture = "sm_90a"},
       .explanation = no_scores,
       .arithmetic = arithmetic::bf16},
      {.name = "cudnn",
       .is = role::comparator,
       .idea = "the fastest of cuDNN's plans for the graph of attention",
       .run = cudnn,
       .needs = {.library = "cudnn"},
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch10_flash_attention_forward
