// SPDX-License-Identifier: Apache-2.0
#include "input/plan_state_options.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <ridge/plan/number_format.hpp>

namespace ridge::app_plan {
namespace {

using namespace plan::train;

const std::vector<std::string> optimizers{"adam", "adam8bit", "sgd", "muon"};

result<double> bytes_of(const std::string& format) {
  if (format == "none") return 0.0;
  const auto known = plan::number_format_named(format);
  if (!known) return known.why();
  return known->bytes_per_element;
}

}  // namespace

void add_state_options(app::command& command, state_options& o) {
  command
      .choice("--optimizer", o.optimizer, optimizers, "Optimizer, which determines the state per parameter")
      .option("--weights-dtype", o.weights, "FORMAT",
              "Number format of the weights that products read (bf16, or as much in fp8 and its transpose)")
      .option("--gradients-dtype", o.gradients, "FORMAT",
              "Number format of accumulated gradients (fp32; bf16 with products in fp8)")
      .option("--master-dtype", o.master, "FORMAT",
              "Number format of the optimizer's copy of the weights, or none (fp32)")
      .option("--moments-dtype", o.moments, "FORMAT", "Number format of the optimizer's moments (fp32)")
      .flag("--fp8-activations", o.fp8_activations,
            "Keep inputs of products in fp8, as products in fp8 do anyway");
}

optimizer_kind optimizer_of(const state_options& o) {
  return static_cast<optimizer_kind>(std::ranges::find(optimizers, o.optimizer) - optimizers.begin());
}

result<state_formats> formats_of(const state_options& o) {
  state_formats f{.fp8_activations = o.fp8_activations};
  const std::pair<const std::string&, std::optional<double>&> given[]{{o.weights, f.weight_bytes},
                                                                      {o.gradients, f.gradient_bytes},
                                                                      {o.master, f.master_bytes},
                                                                      {o.moments, f.moment_bytes}};
  for (const auto& [format, bytes] : given) {
    if (format.empty()) continue;
    const auto known = bytes_of(format);
    if (!known) return known.why();
    bytes = *known;
  }
  return f;
}

}  // namespace ridge::app_plan
