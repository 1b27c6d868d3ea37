// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// The run in a file written by `ridge run --save`.
[[nodiscard]] result<model::run> run_of_file(const std::string& path);

}  // namespace ridge::app
