// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "config_layers.hpp"
#include "config_quantization.hpp"

namespace ridge::plan {

// Sets the bytes per parameter of each layer's classes and of what stands outside the layers, and the names
// of the formats, as the scheme says of each module. The kinds of layer multiply where layers are stored
// differently.
void apply_scheme(const weight_scheme& scheme, const config_context& context, model_shape& model);

}  // namespace ridge::plan
