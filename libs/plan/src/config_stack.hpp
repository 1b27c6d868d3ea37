// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "config_layers.hpp"

namespace ridge::plan {

// Whether the configuration describes a decoder, an encoder, or both.
[[nodiscard]] model_stack read_stack(const config_members& m, const std::string& type);
// The encoder of an encoder-decoder; `context` holds the sizes of its decoder.
[[nodiscard]] encoder_shape read_encoder(const config_context& context);
// Parameters outside the layers that are neither embeddings nor norms: heads for a task, biases of positions.
[[nodiscard]] std::int64_t read_other_parameters(const config_context& context);
// Gemma 3n and 4: parameters of the embeddings that each layer has of its own, with their projections.
[[nodiscard]] std::int64_t read_layer_embeddings(const config_context& context);
// Rows of learned embeddings beside the vocabulary's: positions, kinds of token.
[[nodiscard]] std::int64_t read_position_rows(const config_context& context);
// Norms of the decoder, or of an encoder that stands alone, outside its layers.
[[nodiscard]] std::int64_t read_outer_norms(const config_context& context);

}  // namespace ridge::plan
