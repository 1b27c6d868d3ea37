// SPDX-License-Identifier: Apache-2.0
#include "http/request_target.hpp"

#include <optional>
#include <utility>

#include <ridge/base/text.hpp>
#include <ridge/base/utf8.hpp>

namespace ridge::server {
namespace {

std::optional<unsigned> hexadecimal_digit(char letter) {
  if (letter >= '0' && letter <= '9') return static_cast<unsigned>(letter - '0');
  if (letter >= 'a' && letter <= 'f') return static_cast<unsigned>(letter - 'a' + 10);
  if (letter >= 'A' && letter <= 'F') return static_cast<unsigned>(letter - 'A' + 10);
  return std::nullopt;
}

enum class plus_is : bool { plus, blank };

std::optional<std::string> decoded(std::string_view text, plus_is plus) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus == plus_is::blank) {
      plain += ' ';
    } else if (text[i] != '%') {
      plain += text[i];
    } else {
      if (i + 2 >= text.size()) return std::nullopt;
      const auto high = hexadecimal_digit(text[i + 1]);
      const auto low = hexadecimal_digit(text[i + 2]);
      if (!high || !low) return std::nullopt;
      plain += static_cast<char>(*high << 4U | *low);
      i += 2;
    }
  }
  return plain;
}

bool has_control(std::string_view text) {
  for (const char letter : text)
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) return true;
  return false;
}

error wrong_target(std::string message) {
  return {std::move(message), "send one of the paths of /openapi.json"};
}

result<std::string> read_path(std::string_view text) {
  auto path = decoded(text, plus_is::plus);
  if (!path) return wrong_target("the path ends within an encoded byte, or holds one that is none");
  if (lower_case(text).find("%2f") != std::string::npos)
    return wrong_target("the path holds an encoded slash");
  if (path->find('\\') != std::string::npos) return wrong_target("the path holds a backslash");
  if (has_control(*path) || well_formed_utf8(*path) != *path)
    return wrong_target("the path holds control characters, or is not UTF-8");
  const auto segments = split(std::string_view(*path).substr(1), '/');
  for (std::size_t i = 0; i < segments.size(); ++i) {
    if (segments[i] == "." || segments[i] == "..") return wrong_target("the path leads upwards or in place");
    if (segments[i].empty() && segments.size() > 1) return wrong_target("the path holds an empty segment");
  }
  return *std::move(path);
}

result<std::vector<named_text>> read_query(std::string_view text) {
  std::vector<named_text> query;
  if (text.empty()) return query;
  for (const auto part : split(text, '&')) {
    if (part.empty()) continue;
    const auto equals = part.find('=');
    auto name = decoded(part.substr(0, equals), plus_is::blank);
    auto value = equals == std::string_view::npos ? std::optional<std::string>("")
                                                  : decoded(part.substr(equals + 1), plus_is::blank);
    if (!name || !value || name->empty())
      return wrong_target("the query holds a parameter without a name, or encoding that is cut short");
    if (has_control(*name) || has_control(*value) || well_formed_utf8(*name) != *name ||
        well_formed_utf8(*value) != *value)
      return wrong_target("the query holds control characters, or is not UTF-8");
    query.push_back({*std::move(name), *std::move(value)});
  }
  return query;
}

}  // namespace

result<request_target> read_target(std::string_view target) {
  request_target made;
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (!lower_case(target.substr(0, scheme.size())).starts_with(scheme)) continue;
    target.remove_prefix(scheme.size());
    const auto end = target.find_first_of("/?");
    made.authority = lower_case(target.substr(0, end));
    if (made.authority.empty()) return wrong_target("the target names no host");
    target = end == std::string_view::npos ? "/" : target.substr(end);
    break;
  }
  if (target.empty() || target.front() != '/')
    return wrong_target("the target is neither a path nor an address");
  if (target.find('#') != std::string_view::npos) return wrong_target("the target holds a fragment");
  const auto mark = target.find('?');
  auto path = read_path(target.substr(0, mark));
  if (!path) return path.why();
  auto query = read_query(mark == std::string_view::npos ? std::string_view{} : target.substr(mark + 1));
  if (!query) return query.why();
  made.path = std::move(path).value();
  made.query = std::move(query).value();
  return made;
}

}  // namespace ridge::server
