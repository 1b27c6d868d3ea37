// SPDX-License-Identifier: Apache-2.0
#include "pages/export_page.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include <ridge/base/escape.hpp>
#include <ridge/base/text.hpp>

namespace ridge::tui {
namespace {

bool is_plain(std::string_view word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%^";
  return !word.empty() && word.find_first_not_of(plain) == std::string_view::npos;
}

// Quotes a word for a shell. What moves a cursor or ends a line must not reach the shell of whoever pastes
// it, so it is shown as \xNN.
std::string quoted(const std::string& word) {
  if (is_plain(word)) return word;
  std::string text = "'";
  for (const char c : terminal_escaped(word)) {
    if (c == '\'')
      text += "'\\''";
    else
      text += c == '\n' || c == '\t' ? ' ' : c;
  }
  return text + "'";
}

result<void> written(int file, std::string_view text, const std::string& path) {
  while (!text.empty()) {
    const auto count = ::write(file, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return error{fmt::format("{} cannot be written: {}", path, std::strerror(errno)), ""};
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace

result<std::string> exported(const page& shown, const std::string& table, const std::string& path) {
  const auto answer = answer_of(shown);
  if (path.ends_with(".json")) return results::answer_json(answer) + '\n';
  if (path.ends_with(".txt")) return text_of(shown, {});
  if (path.ends_with(".csv")) return report::csv_table_of({answer.document}, table);
  if (path.ends_with(".svg")) {
    auto text = report::charts_svg(answer.charts);
    if (text.empty()) return error{"this screen has no chart to export", "name a .csv, .json or .txt file"};
    return text;
  }
  return error{fmt::format("{} is no .csv, .json, .txt or .svg file", path), ""};
}

result<void> export_page(const page& shown, const std::string& table, const std::string& path) {
  const auto text = exported(shown, table, path);
  if (!text) return text.why();
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0)
    return error{fmt::format("{} cannot be written: {}", path, std::strerror(errno)),
                 errno == EEXIST ? "choose another name" : ""};
  auto done = written(file, *text, path);
  if (close(file) != 0 && done)
    done = error{fmt::format("{} cannot be written: {}", path, std::strerror(errno)), ""};
  return done;
}

result<std::map<std::string, std::string>> settings_from(std::span<const std::string> words,
                                                         std::span<const results::parameter> known) {
  std::map<std::string, std::string> given;
  std::string last;
  for (const auto& word : words) {
    const auto sign = word.find('=');
    // A problem is written with spaces and signs: in "problem=rows=4 columns=8" the second word goes on with
    // it, since no parameter is called columns.
    const bool names_parameter =
        std::ranges::find(known, word.substr(0, sign), &results::parameter::key) != known.end();
    if (last == "problem" && !names_parameter) {
      given["problem"] += ' ' + word;
      continue;
    }
    if (sign == std::string::npos || sign == 0)
      return error{fmt::format("'{}' is no setting", word), "write key=value, for instance experiment=ch07"};
    last = word.substr(0, sign);
    given[last] = word.substr(sign + 1);
  }
  return given;
}

std::string command_of(const std::string& screen, const std::map<std::string, std::string>& given) {
  auto text = "ridge tui " + screen;
  for (const auto& [key, value] : given) {
    if (!value.empty()) text += ' ' + quoted(key + '=' + value);
  }
  return text;
}

}  // namespace ridge::tui
