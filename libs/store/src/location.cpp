// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/location.hpp>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include <fmt/format.h>

namespace ridge::store {
namespace {
std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

struct parts {
  std::string_view scheme{}, user{}, password{}, host{}, parameters{};
};

// Returns where the user's name and password end: as libpq reads a URL, whose first '@' ends them where no
// '/' stands before it; and in a malformed one at the last '@', so that no part of a password is taken for a
// host.
std::size_t end_of_user(std::string_view rest) {
  const auto stop = rest.find_first_of("@/");
  if (stop != std::string_view::npos && rest[stop] == '@')
    return rest.rfind('@', rest.find_first_of("/?", stop));
  return rest.substr(0, rest.find('?')).rfind('@');
}

parts parts_of(std::string_view url) {
  parts found;
  const auto colon = url.find("://");
  if (colon == std::string_view::npos) return found;
  found.scheme = url.substr(0, colon + 3);
  auto rest = url.substr(colon + 3);
  if (const auto end = end_of_user(rest); end != std::string_view::npos) {
    const auto who = rest.substr(0, end);
    found.user = who.substr(0, who.find(':'));
    if (found.user.size() < who.size()) found.password = who.substr(found.user.size() + 1);
    rest.remove_prefix(end + 1);
  }
  found.host = rest.substr(0, rest.find('?'));
  if (found.host.size() < rest.size()) found.parameters = rest.substr(found.host.size() + 1);
  return found;
}

// Returns the value of a parameter; an empty text where it is not given.
std::string_view parameter(std::string_view parameters, std::string_view name) {
  while (!parameters.empty()) {
    const auto one = parameters.substr(0, parameters.find('&'));
    parameters.remove_prefix(std::min(parameters.size(), one.size() + 1));
    if (one.starts_with(name) && one.substr(name.size()).starts_with('=')) return one.substr(name.size() + 1);
  }
  return {};
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    const auto* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2) {
      out += static_cast<char>(code);
      i += 2;
    } else {
      out += text[i];
    }
  }
  return out;
}

void replace_all(std::string& text, const std::string& secret, std::string_view shown) {
  if (secret.empty()) return;
  for (auto at = text.find(secret); at != std::string::npos; at = text.find(secret, at + shown.size()))
    text.replace(at, secret.size(), shown);
}

}  // namespace

std::string default_location() {
  if (const auto data = variable("XDG_DATA_HOME"); data.starts_with('/')) {
    return std::string(data) + "/ridge/ridge.db";
  }
  if (const auto home = variable("HOME"); !home.empty()) {
    return std::string(home) + "/.local/share/ridge/ridge.db";
  }
  return {};
}

std::string_view scheme_of(std::string_view location) {
  const auto end = location.find("://");
  return end == std::string_view::npos ? std::string_view{} : location.substr(0, end);
}

std::string place_of(std::string_view location) {
  if (scheme_of(location).empty()) return std::string(location);
  const auto found = parts_of(location);
  const auto* const separator = found.user.empty() ? "" : "@";
  return fmt::format("{}{}{}{}", found.scheme, found.user, separator, found.host);
}

std::string without_password(std::string text, std::string_view location) {
  replace_all(text, std::string(location), place_of(location));
  const auto found = parts_of(location);
  for (const auto secret : {found.password, parameter(found.parameters, "password")}) {
    replace_all(text, std::string(secret), "***");
    replace_all(text, decoded(secret), "***");
  }
  return text;
}

std::string_view parameter_of(std::string_view location, std::string_view name) {
  return parameter(parts_of(location).parameters, name);
}

}  // namespace ridge::store
