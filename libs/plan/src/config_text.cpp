// SPDX-License-Identifier: Apache-2.0
#include "config_text.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>

namespace ridge::plan {
namespace {

namespace fs = std::filesystem;
constexpr int deepest = 64;
constexpr std::string_view remedy = "give the config.json of a model on Hugging Face";

// JSON as Python writes it: NaN and Infinity become strings, so that they are refused where a number is
// expected and ignored elsewhere. Also measures the depth of nesting before a parser spends memory on it.
struct plain_text {
  std::string text{};
  int depth = 0;
};

std::size_t end_of_string(std::string_view text, std::size_t start) {
  for (auto i = start + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return text.size();
}

std::string_view python_number(std::string_view text) {
  for (const std::string_view word : {"NaN", "-Infinity", "Infinity"})
    if (text.starts_with(word)) return word;
  return {};
}

plain_text plain(std::string_view text) {
  plain_text out;
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      const auto end = end_of_string(text, i);
      out.text += text.substr(i, end - i);
      i = end;
    } else if (const auto word = python_number(text.substr(i)); !word.empty()) {
      out.text += fmt::format("\"{}\"", word);
      i += word.size();
    } else {
      if (text[i] == '{' || text[i] == '[') out.depth = std::max(out.depth, ++depth);
      if (text[i] == '}' || text[i] == ']') --depth;
      out.text += text[i++];
    }
  }
  return out;
}

error bad(std::string_view file, const std::string& fault) {
  return {fmt::format("{}: {}", file, fault), std::string(remedy)};
}

}  // namespace

result<std::string> read_config_text(const fs::path& file) {
  const auto name = file.string();
  std::error_code code;
  const auto kind = fs::status(file, code);
  if (!fs::exists(kind)) return bad(name, "there is no such file");
  if (fs::is_directory(kind)) return error{name + ": a folder, not a file", "give the config.json inside it"};
  if (const auto size = fs::file_size(file, code); !code && size > largest_config_bytes)
    return bad(name, "larger than 8 MiB; no configuration is");
  return read_file(file, largest_config_bytes);
}

result<nlohmann::json> parse_config_text(std::string_view text, std::string_view file) {
  if (text.size() > largest_config_bytes) return bad(file, "larger than 8 MiB; no configuration is");
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return bad(file, "empty");
  const auto read = plain(text);
  if (read.depth > deepest)
    return bad(file, fmt::format("nested {} deep; {} is the most", read.depth, deepest));
  try {
    auto parsed = nlohmann::json::parse(read.text);
    if (!parsed.is_object()) return bad(file, "JSON, but not an object of members");
    return parsed;
  } catch (const nlohmann::json::parse_error& e) {
    return bad(file, fmt::format("no JSON: byte {} cannot stand there", e.byte));
  } catch (const nlohmann::json::out_of_range&) {
    return bad(file, "a number is too large");
  }
}

}  // namespace ridge::plan
