// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <ridge/plan/kernels/efficiency.hpp>
#include <ridge/plan/kernels/engine_profile.hpp>

#include "silicon_model.hpp"

namespace ridge::plan_test {

// What a prediction does not know: the rows of a model, or those of a GPU and the coefficients of its
// kernels.
enum class left_out : std::uint8_t { model, gpu };

// The group of a row: "model Qwen3-32B", "gpu h100_sxm".
[[nodiscard]] std::string group_of(const silicon_row& row, left_out kind);

// The coefficients that ship, without those of one GPU.
[[nodiscard]] plan::kernels::efficiency_catalogue efficiencies_without(const std::string& gpu);

// Predicts rows as the command would if their group had never been measured: with constants that were fitted
// without it, and for a GPU with coefficients that are borrowed from others.
class left_out_model {
 public:
  // `constants`: profiles whose `source` is the group that their fit did not see.
  left_out_model(std::vector<plan::kernels::engine_profile> constants, left_out kind)
      : constants_(std::move(constants)), kind_(kind) {}
  // The error names the engine and the group without constants.
  [[nodiscard]] result<served_means> predict(const silicon_row& row);

 private:
  silicon_model& model_for(const silicon_row& row);

  std::vector<plan::kernels::engine_profile> constants_;
  left_out kind_;
  std::map<std::string, plan::kernels::efficiency_catalogue> efficiencies_{};  // by GPU that they lack
  std::map<std::string, silicon_model> models_{};                              // by the same
};

// The profiles that plan_fit_engines wrote with `left-out` (engines_left_out.json).
[[nodiscard]] result<std::vector<plan::kernels::engine_profile>> left_out_constants();

}  // namespace ridge::plan_test
