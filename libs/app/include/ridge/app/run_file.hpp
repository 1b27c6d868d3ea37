// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>
#include <ridge/model/peak_report.hpp>
#include <ridge/model/run.hpp>

namespace ridge::app {

// Reads the run in a file written by `ridge run --save`. The error names the file.
[[nodiscard]] result<model::run> run_of_file(const std::string& path);
// Reads the report in a file written by `ridge peak --save`. The error names the file.
[[nodiscard]] result<model::peak_report> peak_report_of_file(const std::string& path);

}  // namespace ridge::app
