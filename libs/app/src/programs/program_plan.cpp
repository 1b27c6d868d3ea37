// SPDX-License-Identifier: Apache-2.0
#include "programs/program_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

#include "programs/command_words.hpp"

namespace ridge::app {
namespace {

// Whether anything holds {NAME}, of all in which a parameter is replaced.
bool is_used(const program_options& o, const parameter& one) {
  const auto place = '{' + one.name + '}';
  const auto holds = [&](const std::string& text) { return text.find(place) != std::string::npos; };
  const auto any_holds = [&](const std::vector<std::string>& texts) {
    return std::ranges::any_of(texts, holds);
  };
  const auto lists = {&o.lines, &o.names, &o.setup, &o.prepare, &o.conclude, &o.cleanup, &o.output};
  return holds(o.reference) || std::ranges::any_of(o.words, any_holds) ||
         std::ranges::any_of(lists, [&](const auto* list) { return any_holds(*list); });
}

result<std::vector<parameter>> parameters_of(const program_options& o) {
  std::vector<parameter> all;
  for (std::size_t i = 0; i + 2 < o.scan.size(); i += 3) {
    auto made = scanned(o.scan[i], o.scan[i + 1], o.scan[i + 2], o.step);
    if (!made) return made.why();
    all.push_back(std::move(*made));
  }
  for (std::size_t i = 0; i + 1 < o.lists.size(); i += 2) {
    auto made = listed(o.lists[i], o.lists[i + 1]);
    if (!made) return made.why();
    all.push_back(std::move(*made));
  }
  for (const auto& one : all) {
    if (std::ranges::count(all, one.name, &parameter::name) > 1)
      return error{fmt::format("the parameter {{{}}} is given twice", one.name),
                   "give each parameter a name of its own"};
    if (!is_used(o, one))
      return error{fmt::format("no command holds the parameter {{{}}}", one.name),
                   fmt::format("write {{{}}} where its value belongs", one.name)};
  }
  return all;
}

// Returns the line of each program: one line serves all of them.
result<std::vector<std::string>> line_of_each(const char* option, const std::vector<std::string>& given,
                                              std::size_t programs) {
  if (given.size() > 1 && given.size() != programs)
    return error{fmt::format("{} is given {} times for {} programs", option, given.size(), programs),
                 "give it once, or once for each program"};
  std::vector<std::string> lines = given;
  lines.resize(programs, given.empty() ? "" : given.front());
  return lines;
}

void set_output(program_line& program, const std::string& output) {
  if (output.empty() || output == "null") return;
  program.output = output == "pipe" ? host::child_output::capture : host::child_output::pass;
  if (output != "pipe" && output != "inherit") program.output_file = output;
}

// The programs before a shell or parameters touch them: each as its line, and as words where it came as
// words.
struct typed_program {
  std::string line{};
  std::vector<std::string> words{};
};

std::vector<typed_program> typed_programs(const program_options& o) {
  std::vector<typed_program> all;
  if (!o.reference.empty()) all.push_back({o.reference, {}});
  for (const auto& line : o.lines) all.push_back({line, {}});
  for (const auto& words : o.words) all.push_back({join(words, " "), words});
  return all;
}

result<std::vector<std::string>> words_at(const typed_program& typed, const model::problem_point& point,
                                          const std::vector<std::string>& shell) {
  const auto line = with_values(typed.line, point);
  if (!shell.empty()) {
    auto words = shell;
    words.push_back(line);
    return words;
  }
  if (typed.words.empty()) return command_words(line);
  auto words = typed.words;
  for (auto& word : words) word = with_values(word, point);
  return words;
}

// Numbers names that are equal, since they tell programs apart.
void number_equal_names(std::vector<program_line>& programs) {
  std::vector<std::string> seen;
  for (auto& one : programs) {
    const auto same = std::ranges::count(seen, one.name);
    seen.push_back(one.name);
    if (same > 0) one.name = fmt::format("{} (#{})", one.name, same + 1);
  }
}

result<std::vector<program_line>> programs_at(const program_options& o, const model::problem_point& point,
                                              const std::vector<std::string>& shell) {
  const auto typed = typed_programs(o);
  const auto prepare = line_of_each("--prepare", o.prepare, typed.size());
  if (!prepare) return prepare.why();
  const auto conclude = line_of_each("--conclude", o.conclude, typed.size());
  if (!conclude) return conclude.why();
  const auto output = line_of_each("--output", o.output, typed.size());
  if (!output) return output.why();
  std::vector<program_line> programs;
  for (std::size_t i = 0; i < typed.size(); ++i) {
    auto words = words_at(typed[i], point, shell);
    if (!words) return words.why();
    const auto name = i < o.names.size() ? o.names[i] : typed[i].line;
    program_line made{.name = with_values(name, point),
                      .words = std::move(*words),
                      .prepare = with_values((*prepare)[i], point),
                      .conclude = with_values((*conclude)[i], point)};
    set_output(made, with_values((*output)[i], point));
    programs.push_back(std::move(made));
  }
  number_equal_names(programs);
  return programs;
}

}  // namespace

result<std::vector<std::string>> shell_of(const program_options& options) {
  if (options.no_shell || options.shell == "none" || options.shell.empty()) return std::vector<std::string>{};
  auto words = command_words(options.shell == "default" ? "/bin/sh" : options.shell);
  if (!words) return words.why();
  words->push_back("-c");
  return words;
}

result<std::vector<program_problem>> problems_of(const program_options& options) {
  const auto shell = shell_of(options);
  if (!shell) return shell.why();
  const auto parameters = parameters_of(options);
  if (!parameters) return parameters.why();
  std::vector<program_problem> problems;
  for (const auto& point : points_of(*parameters)) {
    auto programs = programs_at(options, point, *shell);
    if (!programs) return programs.why();
    program_problem made{.point = point, .programs = std::move(*programs)};
    for (const auto& line : options.setup) made.setup.push_back(with_values(line, point));
    for (const auto& line : options.cleanup) made.cleanup.push_back(with_values(line, point));
    problems.push_back(std::move(made));
  }
  return problems;
}

}  // namespace ridge::app
