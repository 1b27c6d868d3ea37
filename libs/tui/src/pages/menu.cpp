// SPDX-License-Identifier: Apache-2.0
// The numbered menu: every line is complete, nothing moves, and a screen reader can follow.
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/tui/grid.hpp>
#include <ridge/tui/tui.hpp>

#include "screens/screen.hpp"

namespace ridge::tui {
namespace {

using read_function = std::function<std::optional<std::string>()>;
using print_function = std::function<void(std::string_view)>;

// The screens of the menu; the list of screens is the menu itself, and a run is asked for by its id.
std::vector<const screen*> menu_screens() {
  std::vector<const screen*> all;
  for (const auto& one : screens()) {
    if (one.name != "analyses") all.push_back(&one);
  }
  return all;
}

std::string menu_text(const std::vector<const screen*>& all) {
  std::string text = "Ridge\n";
  for (std::size_t i = 0; i < all.size(); ++i)
    text += fmt::format("{:3}  {}: {}{}\n", i + 1, all[i]->title, all[i]->purpose,
                        all[i]->purpose.ends_with('?') ? "" : ".");
  return text + "  0  Quit\n";
}

std::string parameter_text(const results::parameter& p, const settings& given) {
  std::vector<std::string> choices(p.choices.begin(), p.choices.end());
  const auto now = given.find(std::string(p.key));
  auto text = std::string(p.key) + ": " + std::string(p.help);
  if (!choices.empty()) text += " (" + join(choices, ", ") + ")";
  if (!p.unit.empty()) text += fmt::format(", in {}", p.unit);
  if (now != given.end() && !now->second.empty()) return text + fmt::format(" [{}]: ", now->second);
  return text + (p.preset.empty() ? std::string(": ") : fmt::format(" [{}]: ", p.preset));
}

// Takes an answer to the prompt of one parameter. Returns why it cannot be taken; empty: it was.
std::string take_answer(const results::parameter& p, std::string_view text, settings& given) {
  const std::string key(p.key);
  if (text == "-") given.erase(key);
  if (text == "-" || text.empty()) return {};
  if (const auto parsed = results::arguments::parse({&p, 1}, {{key, std::string(text)}}); !parsed)
    return parsed.why().text();
  given[key] = std::string(text);
  return {};
}

// Asks for the parameters of a screen one by one, again where an answer cannot be taken; an empty line keeps
// what is there. Returns whether the input goes on.
bool ask_parameters(const screen& which, settings& given, const read_function& read_line,
                    const print_function& print) {
  if (which.parameters.empty()) return true;
  print("Enter keeps what stands in brackets; - clears it.\n");
  for (const auto& p : which.parameters) {
    std::string complaint;
    do {
      print(parameter_text(p, given));
      const auto line = read_line();
      if (!line) return false;
      complaint = take_answer(p, trim(*line), given);
      if (!complaint.empty()) print(one_line(complaint) + '\n');
    } while (!complaint.empty());
  }
  return true;
}

void show(const screen& which, workspace& work, const settings& given, const print_function& print,
          const room& space) {
  const auto made = make_page(which, work, given);
  print(made ? '\n' + text_of(*made, space) : "\n" + one_line(made.why().text()) + '\n');
}

std::optional<std::size_t> number_in(std::string_view text) {
  text = trim(text);
  std::size_t number = 0;
  const auto [end, why] = std::from_chars(text.data(), text.data() + text.size(), number);
  return why == std::errc{} && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace

void run_menu(const services& lent, const read_function& read_line, const print_function& print,
              const room& space) {
  workspace work(lent);
  const auto all = menu_screens();
  std::map<std::string, settings> told;
  bool listed = false;
  for (;;) {
    if (!std::exchange(listed, true)) print('\n' + menu_text(all));
    print("Number: ");
    const auto line = read_line();
    if (!line) return print("\n");
    if (trim(*line) == "q") return;
    const auto number = number_in(*line);
    if (number == 0) return;
    if (!number || *number > all.size()) {
      print(fmt::format("Give a number from 0 to {}.\n", all.size()));  // the list is still to be seen
      continue;
    }
    const auto& which = *all[*number - 1];
    auto& given = told[which.name];
    if (!ask_parameters(which, given, read_line, print)) return print("\n");
    show(which, work, given, print, space);
    listed = false;
  }
}

}  // namespace ridge::tui
