// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include <ridge/plan/kernels/engine_profile.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>

#include "closed_loop.hpp"
#include "silicon_rows.hpp"

namespace ridge::plan_test {

// Predicts measured operating points; timers are computed once for each model, layout, format and scaling.
class silicon_model {
 public:
  // `tables`: folder of the tables to interpolate; empty: the shipped coefficients are used.
  explicit silicon_model(std::filesystem::path tables) : tables_(std::move(tables)) {}
  [[nodiscard]] result<closed_loop_result> predict(const silicon_row& row,
                                                   const plan::kernels::engine_profile& engine);

 private:
  result<plan::kernels::step_request> request_of(const silicon_row& row,
                                                 const plan::kernels::engine_profile& engine);
  result<const plan::kernels::step_timer*> timer_of(const silicon_row& row,
                                                    const plan::kernels::step_request& r);
  result<std::shared_ptr<const plan::kernels::kernel_times>> times_of(const silicon_row& row,
                                                                      const plan::accelerator& gpu);

  std::filesystem::path tables_;
  std::map<std::string, std::shared_ptr<const plan::kernels::kernel_times>> times_{};
  std::map<std::string, std::unique_ptr<plan::kernels::step_timer>> timers_{};
};

}  // namespace ridge::plan_test
