// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "serve/deploy/launches.hpp"

namespace ridge::plan::serve {
namespace {

constexpr char32_t replacement = 0xFFFD;

// The next character of UTF-8 text, which loses its bytes; a broken one is the replacement character.
char32_t next_character(std::string_view& text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  bool whole = length > 0 && first <= 0xF4 && text.size() >= length;
  char32_t code = length == 1 ? first : first & (0x7FU >> length);
  for (std::size_t i = 1; whole && i < length; ++i) {
    whole = (byte(i) & 0xC0U) == 0x80;
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  whole = whole && code <= 0x10FFFF && !(code >= 0xD800 && code < 0xE000);
  text.remove_prefix(whole ? length : 1);
  return whole ? code : replacement;
}

// Comments hold no text of others; should one, it cannot leave its line.
std::string one_line(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7F'; }, ' ');
  return text;
}

bool plain(const launch_argument& a) {
  const auto digit = [](unsigned char c) { return std::isdigit(c) != 0; };
  return !a.text && (a.value == "true" || a.value == "false" || std::ranges::all_of(a.value, digit));
}

std::string reasons(const launch& l) {
  std::string text;
  const auto add = [&](const launch_argument& a) {
    text += fmt::format("#   {:<36} {}\n", one_line(a.name), one_line(a.reason));
  };
  for (const auto& a : l.arguments) add(a);
  for (const auto& a : l.file) add(a);
  for (const auto& note : l.notes) text += fmt::format("# {}\n", one_line(note));
  return text;
}

}  // namespace

std::string headline(const launch& l) {
  return one_line(fmt::format("{} on {} {}{}: arguments as its documentation of {} describes them", l.engine,
                              l.gpus, l.gpu, l.gpus == 1 ? "" : " of one host", l.documented));
}

std::string kubernetes_word(std::string_view text) {
  std::string word;
  for (const char c : text) word += c == '$' ? std::string("$$") : std::string(1, c);
  return word;
}

std::string shell_quoted(std::string_view text) {
  const auto safe = [](unsigned char c) {
    return c < 128 && (std::isalnum(c) != 0 ||
                       std::string_view("-_./:=@%+,").find(static_cast<char>(c)) != std::string_view::npos);
  };
  if (!text.empty() && std::ranges::all_of(text, safe)) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + '\'';
}

std::string yaml_quoted(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const auto c = next_character(text);
    if (c == '"' || c == '\\')
      quoted += fmt::format("\\{}", static_cast<char>(c));
    else if (c == '\n')
      quoted += "\\n";
    else if (c >= ' ' && c < 0x7F)
      quoted += static_cast<char>(c);
    else if (c < 0x10000)
      quoted += fmt::format("\\u{:04X}", static_cast<std::uint32_t>(c));
    else
      quoted += fmt::format("\\U{:08X}", static_cast<std::uint32_t>(c));
  }
  return quoted + '"';
}

std::string yaml_file(const launch& l) {
  std::string text, section;
  for (const auto& a : l.file) {
    const auto slash = a.name.find('/');
    const auto parent = slash == std::string::npos ? std::string{} : a.name.substr(0, slash);
    if (parent != section && !parent.empty()) text += parent + ":\n";
    section = parent;
    text += fmt::format("{}{}: {}\n", parent.empty() ? "" : "  ",
                        slash == std::string::npos ? a.name : a.name.substr(slash + 1),
                        plain(a) ? a.value : yaml_quoted(a.value));
  }
  return text;
}

std::vector<std::string> words_of(const launch& l, const std::string& file) {
  auto words = l.program;
  for (const auto& a : l.arguments) {
    words.push_back(a.name);
    if (!a.value.empty()) words.push_back(a.value);
  }
  if (!l.file.empty()) words.insert(words.end(), {l.file_argument, file});
  return words;
}

std::string shell_script(const launch& l) {
  auto text = fmt::format("#!/bin/sh\n# {}.\n", headline(l));
  if (l.replicas > 1)
    text += fmt::format("# One of {} replicas; start it on each host, behind a load balancer.\n", l.replicas);
  return text + script_body(l);
}

std::string script_body(const launch& l) {
  auto text = reasons(l) + "set -eu\n";
  if (!l.own_address.empty()) text += fmt::format("export {}=\"$(hostname -i)\"\n", l.own_address);
  const auto file = l.name + ".yaml";
  if (!l.file.empty()) text += fmt::format("cat > {} <<'END_OF_FILE'\n{}END_OF_FILE\n", file, yaml_file(l));
  std::string line = "exec";
  for (const auto& word : l.program) line += ' ' + shell_quoted(word);
  for (const auto& a : l.arguments)
    line += fmt::format(" \\\n  {}{}{}", a.name, a.value.empty() ? "" : " ",
                        a.value.empty() ? "" : shell_quoted(a.value));
  if (!l.file.empty()) line += fmt::format(" \\\n  {} {}", l.file_argument, file);
  return text + line + '\n';
}

std::string launch_json(const launch& l) {
  nlohmann::ordered_json all;
  all["schema"] = "ridge.plan.deploy/1";
  all["engine"] = l.engine;
  all["documented_version"] = l.documented;
  all["image"] = l.image;
  all["gpus"] = l.gpus;
  all["replicas"] = l.replicas;
  all["port"] = l.port;
  all["kv_tokens"] = l.kv_tokens;
  all["command"] = words_of(l, l.name + ".yaml");
  const auto listed = [](const std::vector<launch_argument>& arguments) {
    auto list = nlohmann::ordered_json::array();
    for (const auto& a : arguments)
      list.push_back({{"name", a.name},
                      {"value", a.value.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(a.value)},
                      {"reason", a.reason}});
    return list;
  };
  all["arguments"] = listed(l.arguments);
  all["file"] = listed(l.file);
  all["notes"] = l.notes;
  all["shell"] = shell_script(l);
  all["kubernetes"] = kubernetes_manifest(l);
  return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

std::string launch_json(const disaggregated_launch& l) {
  nlohmann::ordered_json all;
  all["schema"] = "ridge.plan.deploy/1";
  all["prefill"] = nlohmann::ordered_json::parse(launch_json(l.prefill));
  all["decode"] = nlohmann::ordered_json::parse(launch_json(l.decode));
  for (const auto* role : {"prefill", "decode"}) {
    all[role].erase("schema");
    all[role].erase("kubernetes");  // a pool alone answers nobody
  }
  all["router_port"] = router_port;
  all["shell"] = shell_script(l);
  return all.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace ridge::plan::serve
