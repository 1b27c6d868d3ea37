// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <span>
#include <string>

#include <ridge/base/result.hpp>
#include <ridge/tui/page.hpp>

namespace ridge::tui {

// Returns a page as the ending of a file name says: .csv (the table of this key, or the first one), .json,
// .txt or .svg (its charts). The error says why not.
[[nodiscard]] result<std::string> exported(const page& shown, const std::string& table,
                                           const std::string& path);

// Writes a page to a new file; a file of that name is never replaced.
[[nodiscard]] result<void> export_page(const page& shown, const std::string& table, const std::string& path);

// Returns the settings of words like "experiment=ch07" for a screen with these parameters; the error names
// the word that is none.
[[nodiscard]] result<std::map<std::string, std::string>> settings_from(
    std::span<const std::string> words, std::span<const results::parameter> known);

// Returns the command line that shows a screen as it is: "ridge tui results experiment=ch07"; words are
// quoted for a shell where they need it.
[[nodiscard]] std::string command_of(const std::string& screen,
                                     const std::map<std::string, std::string>& given);

}  // namespace ridge::tui
