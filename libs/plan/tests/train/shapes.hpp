// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/interconnect.hpp>
#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/train/training_coefficients.hpp>

namespace ridge::plan::train {

// A GPT of 2020: two feed-forward matrices, learned positions, tied embeddings.
[[nodiscard]] model_shape gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads,
                              std::int64_t vocabulary);
[[nodiscard]] model_shape llama_70b();
[[nodiscard]] model_shape llama_405b();
[[nodiscard]] model_shape qwen3_30b_a3b();
[[nodiscard]] model_shape deepseek_v3();

// Coefficients of kernels that reach every limit, without overlap.
[[nodiscard]] training_coefficients ideal();
[[nodiscard]] accelerator machine(double flop_per_s, double bytes_per_s);
[[nodiscard]] interconnect links(double scale_up_bytes_per_s, double port_bytes_per_s);

}  // namespace ridge::plan::train
