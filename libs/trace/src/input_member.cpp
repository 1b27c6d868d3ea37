// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include <ridge/trace/byte_source.hpp>

#include "file_source.hpp"
#include "input_source.hpp"

namespace ridge::trace {
namespace fs = std::filesystem;
namespace {

std::vector<input_member> members_of_file(const std::string& path, const read_limits& limits) {
  std::vector<std::string> layers;
  const auto source = plain_source(file_source({.path = path}), limits, path, &layers);
  return {
      {.path = path, .container = layers.empty() ? "" : layers.front(), .file_bytes = fs::file_size(path)}};
}

result<std::vector<fs::path>> files_of(const fs::path& folder) {
  std::error_code code;
  std::vector<fs::path> found;
  for (fs::directory_iterator at(folder, code), end; !code && at != end; at.increment(code)) {
    if (at->is_regular_file(code) && !at->path().filename().string().starts_with('.'))
      found.push_back(at->path());
  }
  if (code)
    return error{fmt::format("cannot list {}: {}", folder.string(), code.message()),
                 "check your right to read it"};
  std::ranges::sort(found);
  return found;
}

}  // namespace

result<std::vector<input_member>> members_of(const std::string& path, const read_limits& limits) {
  std::error_code code;
  const auto kind = fs::status(path, code).type();
  if (kind == fs::file_type::not_found)
    return error{path + ": no such file or folder", "check the path; it is relative to the current folder"};
  if (kind == fs::file_type::regular) return members_of_file(path, limits);
  if (kind != fs::file_type::directory)
    return error{path + " is neither a file nor a folder", "save its content as a file and name that"};
  auto files = files_of(path);
  if (!files) return files.why();
  if (files->empty()) return error{path + " holds no files", "name the folder that holds the traces"};
  std::vector<input_member> all;
  for (const auto& file : *files) {
    auto of_file = members_of_file(file.string(), limits);
    std::ranges::move(of_file, std::back_inserter(all));
  }
  return all;
}

result<std::unique_ptr<byte_source>> open_member(const input_member& member, const read_limits& limits) {
  return std::unique_ptr<byte_source>(plain_source(file_source({.path = member.path}), limits, member.path));
}

}  // namespace ridge::trace
