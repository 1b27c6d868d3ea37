// SPDX-License-Identifier: Apache-2.0
#include "tui_command.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>

#include <fmt/format.h>

#include <ridge/app/exit_code.hpp>
#include <ridge/app/results_store.hpp>
#include <ridge/app/this_machine.hpp>
#include <ridge/base/text.hpp>
#include <ridge/tui/tui.hpp>

namespace ridge::app_results {
namespace {

namespace exit_code = app::exit_code;

struct tui_options {
  std::vector<std::string> words{};
  std::string size{};
  bool simple = false, once = false, json = false;
};

std::vector<std::string> run_command(const app::context& program) {
  std::error_code ignored;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", ignored);
  if (ignored) return {};
  std::vector<std::string> words{self.string(), "--color", "never"};
  if (!program.store.empty()) words.insert(words.end(), {"--store", program.store});
  words.emplace_back("run");
  return words;
}

tui::services services_of(const app::context& program) {
  return {.open_store = [&program] { return app::open_store_for_reading(program); },
          .read_machine = app::this_machine,
          .read_audit = app::audit_of_host,
          .open_gpus = app::open_gpu_monitor,
          .run_command = run_command(program)};
}

tui::room room_of(const app::context& program) {
  return {.columns = program.out.table_columns, .color = program.out.colored};
}

int print_result(const app::context& program, const result<std::string>& text) {
  if (!text) return program.refuse(text.why(), exit_code::usage);
  program.print(*text);
  return exit_code::good;
}

// Reads "80x24".
std::optional<std::pair<std::size_t, std::size_t>> size_in(std::string_view text) {
  const auto parts = split(text, 'x');
  std::pair<std::size_t, std::size_t> size{};
  const auto read = [](std::string_view part, std::size_t& number) {
    const auto [end, why] = std::from_chars(part.data(), part.data() + part.size(), number);
    return why == std::errc{} && end == part.data() + part.size();
  };
  constexpr std::size_t most = 1000;
  if (parts.size() != 2 || !read(parts[0], size.first) || !read(parts[1], size.second)) return std::nullopt;
  if (size.first == 0 || size.second == 0 || size.first > most || size.second > most) return std::nullopt;
  return size;
}

std::string size_complaint(const std::string& text) {
  return size_in(text) ? "" : text + " is no size: write columns and rows, 80x24";
}

int menu(const app::context& program) {
  const auto read_line = []() -> std::optional<std::string> {
    std::string line;
    if (!std::getline(std::cin, line)) return std::nullopt;
    return line;
  };
  tui::run_menu(
      services_of(program), read_line, [&](std::string_view text) { program.print(text); }, room_of(program));
  return exit_code::good;
}

bool can_move_a_cursor() {
  const char* const type = std::getenv("TERM");
  const std::string_view name = type == nullptr ? "" : type;
  return !name.empty() && name != "dumb" && isatty(STDIN_FILENO) == 1;
}

int tui(const app::context& program, const tui_options& o) {
  const auto wanted = tui::invocation_of(o.words);
  if (!wanted) return program.refuse(wanted.why(), exit_code::usage);
  const auto lent = services_of(program);
  if (o.json) return print_result(program, tui::screen_json(lent, *wanted));
  if (!o.size.empty()) {
    const auto size = *size_in(o.size);
    return print_result(program, tui::screen_picture(lent, *wanted, size.first, size.second));
  }
  if (o.simple) return menu(program);
  if (o.once || !program.out.interactive)
    return print_result(program, tui::screen_text(lent, *wanted, room_of(program)));
  if (!can_move_a_cursor()) return menu(program);
  const auto ended = tui::run_screens(lent, *wanted, program.out.colored);
  if (!ended) return program.refuse(ended.why(), exit_code::unavailable);
  return *ended == tui::ending::interrupted ? exit_code::interrupted : exit_code::good;
}

}  // namespace

app::command tui_command(app::context& program) {
  auto o = std::make_shared<tui_options>();
  app::command made("tui", "Look at results, comparisons, series, rooflines and the machine on full screens");
  made.option("SCREEN", o->words, "SCREEN [KEY=VALUE]",
              "The screen to begin with, and what it shows: series experiment=ch07")
      .flag("--simple", o->simple, "Ask by numbered lines instead: for screen readers and simple terminals")
      .flag("--once", o->once, "Print the screen once as text, with every row")
      .flag("--json", o->json, "Print its tables and charts as one JSON object")
      .option("--size", o->size, "COLUMNSxROWS", "Print the picture that a terminal of this size shows first")
      .checked(size_complaint)
      .notes(fmt::format(
          "Screens: {}. ? shows the keys. Where stdout is no terminal the screen is printed once; where the "
          "terminal cannot move a cursor (TERM=dumb) the numbered lines are used. NO_COLOR is respected. "
          "docs/guide/tui.md",
          join(tui::screen_names(), ", ")))
      .runs([&program, o] { return tui(program, *o); });
  return made;
}

}  // namespace ridge::app_results
