// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/figure.hpp>
#include <ridge/plan/inference_memory.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>
#include <ridge/plan/kernels/step_timer.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/serve/iteration.hpp>

namespace ridge::plan::serve {

// What drafts the tokens of speculative decoding. Neither member: one layer as the target's last and its
// output head for each token, as multi-token prediction (DeepSeek-V3, section 2.2) and EAGLE (Li et al., ICML
// 2024) draft.
struct draft_choice {
  std::optional<model_shape> model{};  // a smaller model on the same GPUs
  double step_share =
      0;  // seconds of a drafted token over those of a decode step of the target; 0: not given
};

// Times of steps in which `drafted` tokens are drafted for every decoding sequence one after another, after
// which the target verifies them. Without a step_share the draft also computes every prompt. Both timers are
// shared; `draft` is null with a step_share.
[[nodiscard]] std::shared_ptr<const iteration_timer> drafting_timer(
    std::shared_ptr<const iteration_timer> target, std::shared_ptr<const iteration_timer> draft,
    double step_share, int drafted);

// A timer of steps with their drafts, and the figures that say what was assumed.
struct drafted_steps {
  std::shared_ptr<const iteration_timer> timer{};
  plan::derivation derivation{};
};

// Adds what the draft keeps on the target's GPUs to the memory of the target's ranks, on those of the last
// stage, which `setup` divides: a draft model with all its weights and its own keys and values; else the one
// layer with its keys and values, and the projection of two hidden states to one that precedes it
// (DeepSeek-V3, section 2.2; EAGLE), in 16 bits and whole on every rank, while embedding and head are the
// target's. With a step_share alone nothing is known, and nothing is added. Returns the bytes of weights that
// a rank of the last stage keeps more.
[[nodiscard]] result<double> add_draft_memory(std::vector<inference_rank>& ranks, const draft_choice& choice,
                                              const inference_setup& setup);

// Adds the draft of `speculative` tokens to the steps that `target` times, which are those of `step`. The
// draft runs on the target's GPUs with its layout, by the kernel times given, without host time of its own.
// The error says why the draft cannot be timed.
[[nodiscard]] result<drafted_steps> with_draft(const std::shared_ptr<const iteration_timer>& target,
                                               const draft_choice& choice, int drafted,
                                               const kernels::step_request& step,
                                               const kernels::kernel_times& times);

}  // namespace ridge::plan::serve
