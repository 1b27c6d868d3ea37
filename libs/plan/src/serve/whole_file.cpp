// SPDX-License-Identifier: Apache-2.0
#include "whole_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

namespace ridge::plan::serve {
namespace {

struct closes {
  void operator()(std::FILE* f) const { std::fclose(f); }
};

error failed(const std::filesystem::path& file) {
  return {fmt::format("cannot read {}: {}", file.string(), std::strerror(errno)), "check the path"};
}

}  // namespace

result<std::string> whole_file(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    return error{fmt::format("{} is a folder", file.string()), "name a file in it"};
  const std::unique_ptr<std::FILE, closes> in(std::fopen(file.c_str(), "rb"));
  if (!in) return failed(file);
  std::string text;
  const auto size = std::filesystem::file_size(file, ignored);
  if (!ignored) text.reserve(size + 1);
  constexpr std::size_t piece = 1 << 20;
  while (true) {
    const auto at = text.size();
    text.resize(at + piece);
    const auto got = std::fread(text.data() + at, 1, piece, in.get());
    text.resize(at + got);
    if (got < piece) break;
  }
  if (std::ferror(in.get()) != 0) return failed(file);
  return text;
}

}  // namespace ridge::plan::serve
