// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <ridge/base/result.hpp>
#include <ridge/plan/model_shape.hpp>

namespace ridge::plan {

// Reads a model from its configuration and calls it `name`; errors name `file`.
[[nodiscard]] result<model_shape> model_of_config(const nlohmann::json& config, std::string_view name,
                                                  const std::string& file);

}  // namespace ridge::plan
