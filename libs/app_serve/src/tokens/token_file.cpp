// SPDX-License-Identifier: Apache-2.0
#include "tokens/token_file.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/server/server.hpp>

namespace ridge::app_serve {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (const auto word : split(line, ' '))
    if (!trim(word).empty()) words.push_back(trim(word));
  return words;
}

std::optional<std::chrono::system_clock::time_point> day_of(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return std::nullopt;
  std::array<int, 3> parts{};
  const std::array<std::string_view, 3> texts{text.substr(0, 4), text.substr(5, 2), text.substr(8, 2)};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto [end, code] = std::from_chars(texts[i].data(), texts[i].data() + texts[i].size(), parts[i]);
    if (code != std::errc{} || end != texts[i].data() + texts[i].size() || parts[i] < 0) return std::nullopt;
  }
  const std::chrono::year_month_day day{std::chrono::year(parts[0]),
                                        std::chrono::month(static_cast<unsigned>(parts[1])),
                                        std::chrono::day(static_cast<unsigned>(parts[2]))};
  if (!day.ok()) return std::nullopt;
  return std::chrono::sys_days(day);
}

error wrong_line(const std::string& path, std::size_t number, std::string_view complaint) {
  return {fmt::format("{}, line {}: {}", path, number, complaint), "write `TOKEN [SCOPE [YYYY-MM-DD]]`"};
}

result<server::access_token> token_in(const std::vector<std::string_view>& words, const std::string& path,
                                      std::size_t number) {
  server::access_token made{.text = std::string(words[0])};
  if (words[0].size() < 22)
    return error{
        fmt::format("{}, line {}: the token has fewer than 22 letters: it can be guessed", path, number),
        "draw one with `openssl rand -hex 32`"};
  if (words.size() > 3) return wrong_line(path, number, "more than three words");
  if (words.size() > 1) {
    const auto granted = server::scope_named(words[1]);
    if (!granted || *granted == server::scope::open)
      return wrong_line(path, number, "the scope is not read, write, run or admin");
    made.granted = *granted;
  }
  if (words.size() > 2) {
    const auto day = day_of(words[2]);
    if (!day) return wrong_line(path, number, "the last word is not a day");
    made.expires = *day;
  }
  return made;
}

error cannot(std::string_view action, const std::string& path) {
  return {fmt::format("cannot {} {}: {}", action, path, std::strerror(errno)),
          "give another file to --token-file"};
}

result<std::vector<server::access_token>> new_file(const std::string& path) {
  const int descriptor =
      open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, S_IRUSR | S_IWUSR);
  if (descriptor < 0) return cannot("create", path);
  const auto token = server::drawn_token();
  const auto text = token + " admin\n";
  const auto written = write(descriptor, text.data(), text.size());
  const bool is_kept = close(descriptor) == 0 && written == static_cast<ssize_t>(text.size());
  if (!is_kept) return cannot("write", path);
  return std::vector<server::access_token>{{.text = token, .granted = server::scope::admin}};
}

}  // namespace

result<std::vector<server::access_token>> tokens_in(std::string_view text, const std::string& path) {
  std::vector<server::access_token> tokens;
  std::size_t number = 0;
  for (const auto line : split(text, '\n')) {
    ++number;
    const auto words = words_of(trim(line));
    if (words.empty() || words[0].starts_with('#')) continue;
    auto token = token_in(words, path, number);
    if (!token) return token.why();
    tokens.push_back(std::move(token).value());
  }
  if (tokens.empty()) return error{path + " holds no token", "remove it, and a new one is made"};
  return tokens;
}

result<std::vector<server::access_token>> tokens_of_file(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor < 0 && errno == ENOENT) return new_file(path);
  if (descriptor < 0) return cannot("open", path);
  struct stat status {};
  std::string text(64 * 1024, '\0');
  const bool is_known = fstat(descriptor, &status) == 0;
  const auto count = read(descriptor, text.data(), text.size());
  close(descriptor);
  if (!is_known || count < 0) return cannot("read", path);
  if (!S_ISREG(status.st_mode) || (status.st_mode & (S_IRWXG | S_IRWXO)) != 0)
    return error{path + " can be read by other users", "run `chmod 600 " + path + "`"};
  text.resize(static_cast<std::size_t>(count));
  return tokens_in(text, path);
}

}  // namespace ridge::app_serve
