// SPDX-License-Identifier: Apache-2.0
#include "trouble.hpp"

#include <fmt/format.h>

namespace ridge::backends::store_postgresql {
namespace {

using store::trouble;

constexpr std::string_view elsewhere = "give another store with --store, or none with --no-store";

bool is_one_of(std::string_view code, std::initializer_list<std::string_view> codes) {
  for (const auto one : codes)
    if (code == one) return true;
  return false;
}

std::string remedy(trouble kind) {
  switch (kind) {
    case trouble::full:
      return fmt::format("free some space on the server's disk, or {}", elsewhere);
    case trouble::read_only:
      return fmt::format(
          "the role needs to create the schema \"ridge\", or to write its tables, for results to be stored; "
          "{}",
          elsewhere);
    case trouble::corrupt:
      return "the server's log says which file is damaged; restore the database from a copy";
    case trouble::busy:
      return fmt::format("wait for the others to end, or {}", elsewhere);
    case trouble::unreachable:
      return fmt::format(
          "is the server running, and are host, port, database, role and password right? Or {}", elsewhere);
    default:
      return std::string(elsewhere);
  }
}

// Messages of the server stand on several lines: the first says what is wrong, DETAIL what with.
std::string on_one_line(std::string_view message) {
  std::string out;
  for (const char letter : message) {
    const bool space = letter == '\n' || letter == '\t' || letter == ' ';
    if (space && (out.empty() || out.back() == ' ')) continue;
    out += space ? ' ' : letter;
  }
  while (out.ends_with(' ')) out.pop_back();
  constexpr std::size_t longest = 400;
  if (out.size() > longest) out = out.substr(0, longest) + "...";
  return out;
}

}  // namespace

trouble kind_of(std::string_view code, std::string_view message, bool connected) {
  if (code == "53100" || message.find("No space left on device") != std::string_view::npos)
    return trouble::full;
  if (!connected || is_one_of(code, {"57P01", "57P02", "57P03", "3D000"}) || code.starts_with("08") ||
      code.starts_with("28"))
    return trouble::unreachable;
  if (is_one_of(code, {"25006", "42501"})) return trouble::read_only;
  if (is_one_of(code, {"55P03", "53300", "40001", "40P01"})) return trouble::busy;
  if (code.starts_with("XX")) return trouble::corrupt;
  return trouble::broken;
}

store::store_failure failure_of(trouble kind, std::string_view action, const std::string& place,
                                std::string_view message) {
  return {kind,
          {fmt::format("cannot {} the store {}: {}", action, place, on_one_line(message)), remedy(kind)}};
}

}  // namespace ridge::backends::store_postgresql
