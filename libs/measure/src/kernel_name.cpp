// SPDX-License-Identifier: Apache-2.0
#include <cctype>

#include <ridge/measure/gpu_trace.hpp>

namespace ridge::measure {
namespace {

constexpr std::size_t longest = 64;

std::string without(std::string text, std::string_view part) {
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at))
    text.erase(at, part.size());
  return text;
}

// Returns the text up to the arguments: the last ones written, since a cast may stand inside those of a
// template.
std::string without_arguments(const std::string& text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<') ++depth;
    if (text[i] == '>') --depth;
    if (text[i] == '(' && depth == 0) return text.substr(0, i);
  }
  return text;
}

// Removes the type of the result, which stands before the last space outside of brackets.
std::string without_result(const std::string& text) {
  int depth = 0;
  std::size_t from = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' || text[i] == '(') ++depth;
    if (text[i] == '>' || text[i] == ')') --depth;
    if (text[i] == ' ' && depth == 0 && i + 1 < text.size()) from = i + 1;
  }
  return text.substr(from);
}

// Turns "(unsigned int)4" into "4".
std::string without_casts(std::string text) {
  for (auto at = text.find('('); at != std::string::npos; at = text.find('(', at)) {
    const auto end = text.find(')', at);
    if (end == std::string::npos) break;
    text.erase(at, end - at + 1);
  }
  return text;
}

bool in_a_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Turns "a::b::c" into "c", inside brackets too.
std::string without_namespaces(std::string text) {
  for (auto at = text.find("::"); at != std::string::npos; at = text.find("::")) {
    auto begin = at;
    while (begin > 0 && in_a_name(text[begin - 1])) --begin;
    text.erase(begin, at + 2 - begin);
  }
  return text;
}

}  // namespace

std::string short_kernel_name(std::string_view demangled) {
  auto text = without(std::string(demangled), "(anonymous namespace)::");
  text = without_namespaces(without_casts(without_result(without_arguments(text))));
  if (text.empty()) text = demangled;
  if (text.size() > longest) text = text.substr(0, longest - 3) + "...";
  return text;
}

}  // namespace ridge::measure
