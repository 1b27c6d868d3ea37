// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include <ridge/model/peak_report.hpp>

namespace ridge::app {

// Returns where ceilings are cached; this is also the storage whose rate is measured.
[[nodiscard]] std::filesystem::path ceilings_folder();

// Returns the ceilings that a run of this program measured on this machine less than a day ago, with the kept
// peaks that can limit code; nothing where no run measured them.
[[nodiscard]] std::optional<model::peak> cached_ceilings();

// Keeps ceilings for later calls; does nothing where the folder cannot be written.
void cache_ceilings(const model::peak& measured);

// Returns the newest row of each kind that `ridge peak` measured on this machine within a week; nothing where
// none are kept.
[[nodiscard]] std::optional<model::peak> kept_peaks();

// Keeps the rows of this report and replaces older ones of the same id and threads; where other rows remain,
// all are forgotten when those are a week old. Returns the file; empty where it could not be written.
std::filesystem::path keep_peaks(const model::peak_report& measured);

// Returns the seconds since 1970 of a text like "2026-11-21T12:00:00Z"; nothing for any other text.
[[nodiscard]] std::optional<double> seconds_of_utc(std::string_view text);

}  // namespace ridge::app
