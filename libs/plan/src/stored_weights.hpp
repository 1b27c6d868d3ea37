// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/plan/model_shape.hpp>
#include <ridge/plan/number_format.hpp>

namespace ridge::plan {

// Number formats that a question applies to a model's weights.
struct applied_formats {
  number_format weights{};
  bool experts_only = false;  // the rest stays at 16 bits
  bool own = true;            // they are the checkpoint's: what it states of single modules holds
};

// The formats of the checkpoint.
[[nodiscard]] applied_formats own_formats(const model_shape& m);
// Bytes per parameter of a layer's classes.
[[nodiscard]] stored_bytes bytes_of_layer(const model_shape& m, const layer_shape& layer,
                                          const applied_formats& f);
// Bytes per parameter of what stands outside the layers.
[[nodiscard]] stored_ends bytes_of_ends(const model_shape& m, const applied_formats& f);
// Mean bytes per parameter of attention, dense blocks and shared experts together, and of routed experts; 0
// where there are none.
struct mean_bytes {
  double dense = 0, experts = 0;
};
[[nodiscard]] mean_bytes mean_bytes_of(const model_shape& m, const applied_formats& f);

}  // namespace ridge::plan
