// SPDX-License-Identifier: Apache-2.0
#include <ridge/base/read_file.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include <fmt/format.h>

namespace ridge {
namespace {

struct file_closer {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

error unreadable(const std::filesystem::path& path) {
  return {fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)), "check the path"};
}

}  // namespace

result<std::string> read_file(const std::filesystem::path& path, std::size_t most_bytes) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    return error{fmt::format("{} is a folder", path.string()), "name a file in it"};
  const std::unique_ptr<std::FILE, file_closer> file(std::fopen(path.c_str(), "rb"));
  if (!file) return unreadable(path);
  std::string text;
  if (const auto size = std::filesystem::file_size(path, ignored); !ignored && size < most_bytes)
    text.reserve(size + 1);
  constexpr std::size_t piece = std::size_t{1} << 16;
  for (std::size_t got = piece; got == piece;) {
    const auto size = text.size();
    text.resize(size + piece);
    got = std::fread(text.data() + size, 1, piece, file.get());
    text.resize(size + got);
    if (text.size() > most_bytes)
      return error{fmt::format("{} is larger than {} bytes", path.string(), most_bytes), "check the path"};
  }
  if (std::ferror(file.get()) != 0) return unreadable(path);
  return text;
}

}  // namespace ridge
