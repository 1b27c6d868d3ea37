// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::plan::train {

// Peak memory of one rank of a pipeline stage during a training step, by use, in bytes.
struct rank_memory {
  double weights_bytes = 0;  // without routed experts, as are gradients and optimizer
  double gradients_bytes = 0;
  double optimizer_bytes = 0;  // master copy, moments, moving average
  double expert_weights_bytes = 0;
  double expert_gradients_bytes = 0;
  double expert_optimizer_bytes = 0;
  double activations_bytes = 0;            // of the layers, kept for the backward pass
  double embedding_activations_bytes = 0;  // first stage: dropout mask after the embedding
  double logits_bytes = 0;                 // last stage: logits, final norm, input of the head
  double workspace_bytes = 0;              // one recomputed layer, gathered weights, the optimizer's scratch
  double communication_bytes = 0;          // send and receive buffers: pipeline, sequence, context, experts
  double context_bytes = 0;                // CUDA and NCCL
  double fragmentation_bytes = 0;

  // Weights, gradients and optimizer state, experts included.
  [[nodiscard]] double states_bytes() const {
    return weights_bytes + gradients_bytes + optimizer_bytes + expert_weights_bytes + expert_gradients_bytes +
           expert_optimizer_bytes;
  }
  // All memory of the rank.
  [[nodiscard]] double total_bytes() const {
    return states_bytes() + activations_bytes + embedding_activations_bytes + logits_bytes + workspace_bytes +
           communication_bytes + context_bytes + fragmentation_bytes;
  }
  bool operator==(const rank_memory&) const = default;
};

}  // namespace ridge::plan::train
