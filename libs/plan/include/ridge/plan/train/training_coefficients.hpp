// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/plan/accelerator.hpp>

namespace ridge::plan::train {

// Shares of the datasheet limits (dense peaks) that the kernels of training reach, and the other costs of a
// step.
struct training_coefficients {
  std::string gpu{};                  // the measured GPU: "A100 SXM 80GB"
  double bf16_efficiency = 0.8;       // of large 16-bit products
  double fp8_efficiency = 0.6;        // of large fp8 products, casts included
  double attention_efficiency = 0.6;  // of the fused attention kernel's own FLOP, forward and backward
  double bandwidth_efficiency = 0.8;  // of memory-bound operators
  double half_size = 0;      // a 16-bit product with all three sides this long reaches half of its efficiency
  double fp8_half_size = 0;  // the same of fp8 products
  double launch_s = 0;       // of the shortest product; every product, or group of them, adds it
  double tensor_overlap = 0;  // share of tensor-parallel communication that products overlap, forward
  double tensor_backward_overlap = 0;
  double context_overlap = 1;  // share of the ring exchange that attention may overlap
  double expert_overlap = 0;
  double pipeline_overlap = 0;  // share of the transfers between stages that computation overlaps
  double data_overlap = 1;      // share of gradient and weight exchange that the passes may overlap
  double fixed_s = 0;           // per step: host, logging, clipping, waiting
  double straggler_sigma = 0;   // standard deviation of the step time of a GPU over its mean
  // Origin and quality of the fit.
  std::string source{};
  std::string date{};
  int rows = 0;               // measurements of the fit
  double fit_error = 0;       // mean relative error on them
  double held_out_error = 0;  // largest error of a row, or system, left out of the fit
  double band = 0.15;         // relative half-width of the band around a prediction
};

// The coefficients in the program.
[[nodiscard]] const std::vector<training_coefficients>& embedded_training_coefficients();

// Coefficients of this GPU, or of the nearest generation with measurements; those have a wider band and say
// so in `source`.
[[nodiscard]] training_coefficients training_coefficients_of(const accelerator& gpu);

// Reads coefficients from JSON called `name` in the form of the embedded ones ("ridge.plan.training/1"). The
// error names the member by its JSON pointer.
[[nodiscard]] result<std::vector<training_coefficients>> parse_training_coefficients(std::string_view text,
                                                                                     std::string_view name);

}  // namespace ridge::plan::train
