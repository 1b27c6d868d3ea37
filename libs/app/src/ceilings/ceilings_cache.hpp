// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include <ridge/model/peak_report.hpp>

namespace ridge::app {

// $XDG_CACHE_HOME/ridge, else ~/.cache/ridge; the temporary folder where neither can be made.
[[nodiscard]] std::filesystem::path cache_folder();

// Where ceilings are cached; also the storage whose rate is measured.
[[nodiscard]] std::filesystem::path ceilings_folder();

// What a run of this program measured on this machine less than a day ago, and the kept peaks that can limit
// code; nothing where no run did.
[[nodiscard]] std::optional<model::peak> cached_ceilings();

// Keeps them for the next calls; a folder that cannot be written keeps nothing.
void cache_ceilings(const model::peak& measured);

// The rows that `ridge peak` found on this machine, the newest of each, none older than a week; nothing where
// none are kept.
[[nodiscard]] std::optional<model::peak> kept_peaks();

// Keeps the rows of this report, instead of older ones of the same id and threads; where others remain, all
// are forgotten when those are a week old. The file; empty where it could not be written.
std::filesystem::path keep_peaks(const model::peak_report& measured);

// Seconds since 1970 of "2026-11-21T12:00:00Z"; nothing for any other text.
[[nodiscard]] std::optional<double> seconds_of_utc(std::string_view text);

}  // namespace ridge::app
