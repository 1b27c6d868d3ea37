// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <memory>
#include <utility>

#include <ridge/base/element.hpp>
#include <ridge/gpu/check.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/cublaslt.hpp>
#include <ridge/vendor/fastest.hpp>
#include <ridge/vendor/planned_matmul.hpp>

#include "wide.hpp"

namespace ridge::experiments::ch09_w4a16_gemm {
namespace {

auto wide(workload& shape, setup& s) {
  shape.own_wide.wide = s.workspace<bf16>(shape.rows * shape.terms);
  return [](workload& w, call& c) { launch_wide(w, c.queue()); };
}

auto fragments(workload& shape, setup& s) {
  if (!fits_fragments(shape))
    throw unavailable("shared memory of a cluster for the activations", "fewer terms");
  shape.fragments.packed = s.workspace<std::byte>(packed_bytes(shape, fragment_block(shape)));
  return enqueues(launch_fragments);
}

auto warpgroups(workload& shape, setup& s) {
  shape.warpgroups.packed = s.workspace<std::byte>(packed_bytes(shape, warpgroup_block));
  return enqueues(launch_warpgroups);
}

auto cublaslt(workload& w, setup& s) {
  w.vendors.wide = s.workspace<bf16>(w.rows * w.terms);
  constexpr int most_algorithms = 16;
  std::unique_ptr<vendor::planned_matmul> plan;
  std::size_t best = 0;
  if (!w.c.empty()) {
    const auto tokens = as_integer(w.tokens), rows = as_integer(w.rows), terms = as_integer(w.terms);
    plan = std::make_unique<vendor::planned_matmul>(
        vendor::product{.a = {w.a.data(), CUDA_R_16BF, tokens, terms, terms},
                        .b = {w.vendors.wide.data(), CUDA_R_16BF, rows, terms, terms, true},
                        .target = w.c.data(),
                        .pitch = rows,
                        .target_type = CUDA_R_16BF},
        s.workspace<std::byte>(vendor::workspace_bytes).data(), most_algorithms);
    const auto queue = s.queue();
    best = vendor::fastest_of(plan->algorithms(), queue,
                              [&](std::size_t i) { return plan->try_algorithm(i, queue); });
  }
  return [plan = std::move(plan), best](workload&, call& c) {
    if (plan && !plan->try_algorithm(best, c.queue()))
      throw failure({"cuBLASLt refuses the algorithm that it accepted before", ""});
  };
}

double wide_traffic(const problem& p) {
  const auto tokens = p.real("tokens"), rows = p.real("rows"), terms = p.real("groups") * double{group};
  return 2 * (rows * terms + tokens * (rows + terms));
}

}  // namespace

ladder<workload> cuda() {
  return {
      {.name = "bf16",
       .is = role::baseline,
       .idea = "weights in bf16: a warp a row, 16 bytes a load, eight tokens at a time",
       .run = wide,
       .stage = [](workload& w, setup& s) { launch_widen(w, w.own_wide.wide, s.queue()); },
       .stage_reason = constants,
       .traffic = wide_traffic,
       .within = of_rounded_weights,
       .tolerance_reason = rounded,
       .arithmetic = arithmetic::bf16},
      {.name = "in_registers",
       .idea = "weights in four bits go straight to the registers of mma.sync's operand, 16 tokens a pass",
       .run = fragments,
       .needs = {.compute_capability = {9, 0}},
       .stage = [](workload& w,
                   setup& s) { launch_pack(w, fragment_block(w), w.fragments.packed, s.queue()); },
       .stage_reason = constants,
       .explanation = "a quarter of the bytes, read once for 16 tokens; the baseline reads the weights again "
                      "for every eight",
       .arithmetic = arithmetic::bf16},
      {.name = "warpgroups",
       .idea = "64 tokens a pass by wgmma; a warp copies weights ahead to shared memory in bulk",
       .run = warpgroups,
       .needs = {.architecture = "sm_90a"},
       .stage = [](workload& w,
                   setup& s) { launch_pack(w, warpgroup_block, w.warpgroups.packed, s.queue()); },
       .stage_reason = constants,
       .explanation = "a quarter of the bytes, read once for 64 tokens",
       .arithmetic = arithmetic::bf16},
      {.name = "cublaslt_bf16",
       .is = role::comparator,
       .idea = "cuBLASLt on weights in bf16, the fastest of 16 algorithms",
       .run = cublaslt,
       .needs = {.library = "cublaslt"},
       .stage = [](workload& w, setup& s) { launch_widen(w, w.vendors.wide, s.queue()); },
       .stage_reason = constants,
       .traffic = wide_traffic,
       .within = of_rounded_weights,
       .tolerance_reason = rounded,
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch09_w4a16_gemm
