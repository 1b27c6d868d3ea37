// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>
#include <ridge/model/peak_report.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// The run in a file written by `ridge run --save`.
[[nodiscard]] result<model::run> run_of_file(const std::string& path);
// The report in a file written by `ridge peak --save`.
[[nodiscard]] result<model::peak_report> peak_report_of_file(const std::string& path);

}  // namespace ridge::app
