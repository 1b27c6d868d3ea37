// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <ridge/app/command.hpp>
#include <ridge/base/result.hpp>
#include <ridge/plan/kernels/efficiency.hpp>

namespace ridge::app_plan {

// The file in which `ridge plan measure` keeps the kernels of a GPU of the catalogue; it need not exist.
[[nodiscard]] std::filesystem::path kept_kernels_of(std::string_view gpu);

// Adds --kernels: a file that `ridge plan measure` wrote; "shipped": the coefficients in the program; empty:
// what was measured of a GPU on this machine, where it was.
void add_kernels_choice(app::command& command, std::string& choice);

// The coefficients of a GPU's kernels by that choice, which live as long as the program. The error names a
// file that cannot be read or is of another GPU. Thread-safe.
[[nodiscard]] result<const plan::kernels::efficiency_catalogue*> coefficients_of(const std::string& choice,
                                                                                 const std::string& gpu);

// Whether any of these coefficients was measured on this machine.
[[nodiscard]] bool has_measured(const plan::kernels::efficiency_catalogue& coefficients);

}  // namespace ridge::app_plan
