// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <ridge/plan/accelerator.hpp>
#include <ridge/plan/kernels/kernel_times.hpp>

#include "measured_tables.hpp"

namespace ridge::plan::kernels {

struct measured_time {
  double seconds = 0;
  kernel_time ideal{};        // roofline bound
  bool launch_bound = false;  // the shortest times in the table are launches rather than kernels
};

// Interpolates the tables of one engine; empty results for kernels that were not measured.
class measured_lookup {
 public:
  measured_lookup(measured_tables tables, const accelerator& gpu);

  [[nodiscard]] std::optional<measured_time> find(const product& p) const;
  [[nodiscard]] std::optional<measured_time> find(const prefill_attention& a) const;
  [[nodiscard]] std::optional<measured_time> find(const decode_attention& a) const;
  [[nodiscard]] std::optional<measured_time> find(const latent_prefill& a) const;
  [[nodiscard]] std::optional<measured_time> find(const latent_decode& a) const;
  [[nodiscard]] std::optional<measured_time> find(const expert_products& e) const;
  [[nodiscard]] std::optional<measured_time> find(const exchange& e) const;
  [[nodiscard]] const std::vector<std::string>& files() const { return tables_.files; }
  [[nodiscard]] const measured_tables& tables() const { return tables_; }
  // The time of a product from the neighbouring shapes, ignoring measurements of its own shape.
  [[nodiscard]] std::optional<double> borrowed(const product& p) const;

 private:
  [[nodiscard]] double ideal_s(const demand& d, std::string_view type) const;

  measured_tables tables_;
  accelerator gpu_;
  std::map<std::string, double> shortest_product_s_{};
};

}  // namespace ridge::plan::kernels
