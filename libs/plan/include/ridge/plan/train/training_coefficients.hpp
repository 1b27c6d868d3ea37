// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>

namespace ridge::plan::train {

// How near the kernels of training come to the limits of a GPU, and what a step costs besides. Shares are of
// the datasheet's dense peaks.
struct training_coefficients {
  std::string gpu{};                  // whose measurements these are: "A100 SXM 80GB"
  double bf16_efficiency = 0.8;       // of large 16-bit products
  double fp8_efficiency = 0.6;        // of large fp8 products, casts included
  double attention_efficiency = 0.6;  // of the fused attention kernel's own FLOP, forward and backward
  double bandwidth_efficiency = 0.8;  // of memory-bound operators
  double half_size = 0;               // a product of three sides so long reaches half of its efficiency
  double launch_s = 0;                // a kernel's share of the time no kernel runs; what CUDA graphs remove
  double tensor_overlap = 0;          // share of tensor-parallel communication behind products, forward
  double tensor_backward_overlap = 0;
  double context_overlap = 1;  // share of ring attention's exchange that attention may hide
  double expert_overlap = 0;
  double pipeline_overlap = 0;  // of what stages send each other, while both compute
  double data_overlap = 1;      // share of gradient and weight exchange that the passes may hide
  double fixed_s = 0;           // once a step: host, logging, clipping, waiting
  double straggler_sigma = 0;   // standard deviation of a GPU's step over its mean
  // Where they come from.
  std::string source{};
  std::string date{};
  int rows = 0;               // measurements they were fitted to
  double fit_error = 0;       // mean relative error on them
  double held_out_error = 0;  // the largest error of a row, or system, that was left out
  double band = 0.15;         // half the width to expect of a prediction, relative
};

// Those inside the program.
[[nodiscard]] const std::vector<training_coefficients>& embedded_training_coefficients();

// Of this GPU; else of the nearest generation with measurements, with a wider band and a source that says so.
[[nodiscard]] training_coefficients training_coefficients_of(const accelerator& gpu);

// A file of the same form as the embedded one ("ridge.plan.training/1").
[[nodiscard]] result<std::vector<training_coefficients>> parse_training_coefficients(std::string_view text,
                                                                                     std::string_view name);

}  // namespace ridge::plan::train
