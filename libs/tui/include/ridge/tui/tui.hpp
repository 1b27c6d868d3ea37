// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>
#include <ridge/tui/page.hpp>
#include <ridge/tui/services.hpp>

// Screens for a terminal: what is stored, what is measured now, and the machine. What a screen says of stored
// results comes from the analyses of ridge::results and from the store; nothing is computed here twice.
namespace ridge::tui {

// A screen and what it is told: "results" and {"experiment": "ch07"}.
struct invocation {
  std::string screen{"results"};
  std::map<std::string, std::string> settings{};
};

// Returns the names of all screens, those with a number key first.
[[nodiscard]] std::vector<std::string> screen_names();

// Reads the words of a command line: the name of a screen, which may be missing, then settings like
// "experiment=ch07". The error names the word that is wrong.
[[nodiscard]] result<invocation> invocation_of(std::span<const std::string> words);

// Returns a screen as plain text with every row; for machine-read facts it waits until they are there.
[[nodiscard]] result<std::string> screen_text(const services& lent, const invocation& wanted,
                                              const room& space);
// Returns its tables and charts as JSON, in the form of results::answer_json.
[[nodiscard]] result<std::string> screen_json(const services& lent, const invocation& wanted);
// Returns the picture that a terminal of this size would show first, as text.
[[nodiscard]] std::string screen_picture(const services& lent, const invocation& wanted, std::size_t columns,
                                         std::size_t rows);

// How screens ended.
enum class ending : std::uint8_t { quit, interrupted };

// Shows screens on the terminal behind stdin and stdout until the person quits or a signal ends them. The
// terminal is put back however that happens. An error says why the terminal cannot show screens.
[[nodiscard]] result<ending> run_screens(services lent, const invocation& first, bool with_color);

// Asks by numbered lines, for screen readers and terminals that cannot move a cursor. `read_line` returns
// nothing at the end of the input.
void run_menu(const services& lent, const std::function<std::optional<std::string>()>& read_line,
              const std::function<void(std::string_view)>& print, const room& space);

}  // namespace ridge::tui
