// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include <ridge/model/ceiling.hpp>

namespace ridge::app {

// $XDG_CACHE_HOME/ridge, else ~/.cache/ridge; the temporary folder where neither can be made.
[[nodiscard]] std::filesystem::path cache_folder();

// Where ceilings are cached; also the storage whose rate is measured.
[[nodiscard]] std::filesystem::path ceilings_folder();

// What was measured on this machine by this program less than a day ago; nothing else.
[[nodiscard]] std::optional<model::peak> cached_ceilings();

// Keeps them for the next calls; a folder that cannot be written keeps nothing.
void cache_ceilings(const model::peak& measured);

// Seconds since 1970 of "2026-11-21T12:00:00Z"; nothing for any other text.
[[nodiscard]] std::optional<double> seconds_of_utc(std::string_view text);

}  // namespace ridge::app
