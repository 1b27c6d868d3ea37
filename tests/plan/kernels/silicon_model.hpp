// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <ridge/plan/kernels/engine_profile.hpp>
#include <ridge/plan/serve/workload.hpp>

#include "input/plan_serve_options.hpp"
#include "silicon_rows.hpp"

namespace ridge::plan_test {

// Means over the requests of a simulated run, in seconds.
struct served_means {
  double ttft_s = 0, tpot_s = 0;
};

// The options with which `ridge plan serve` is asked for a measured operating point: clients that each send
// ten requests, one after the other. The sizes of a step, which the rows do not tell, are those that were
// fitted to them (`engine`).
[[nodiscard]] app_plan::service_choice service_options(const silicon_row& row,
                                                       const plan::kernels::engine_profile& engine);
[[nodiscard]] app_plan::workload_choice workload_options(const silicon_row& row);

// Predicts measured operating points as the command does, by its own service, workload and simulation.
class silicon_model {
 public:
  // `tables`: folder of the tables to interpolate; empty: the shipped coefficients are used.
  // `efficiencies` must outlive the model; null: those that ship.
  explicit silicon_model(std::filesystem::path tables,
                         const plan::kernels::efficiency_catalogue* efficiencies = nullptr)
      : tables_(std::move(tables)), efficiencies_(efficiencies) {}
  // What the command answers; with `constants` instead of those that ship for the engine.
  [[nodiscard]] result<served_means> predict(
      const silicon_row& row, const std::optional<plan::kernels::engine_profile>& constants = {});

 private:
  result<app_plan::service*> service_for(const silicon_row& row,
                                         const std::optional<plan::kernels::engine_profile>& constants);

  std::filesystem::path tables_;
  const plan::kernels::efficiency_catalogue* efficiencies_;
  std::map<std::string, app_plan::service> services_{};  // by what the tables of step times depend on
};

}  // namespace ridge::plan_test
