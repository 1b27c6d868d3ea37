// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/trace/byte_source.hpp>

#include "archives/archive_tar.hpp"
#include "archives/archive_zip.hpp"
#include "import/file_source.hpp"
#include "import/input_opener.hpp"
#include "import/input_source.hpp"
#include "import/sniff.hpp"

namespace ridge::trace {
namespace fs = std::filesystem;
namespace {

bool is_hidden(std::string_view name) { return name.substr(name.rfind('/') + 1).starts_with('.'); }

// The files of one archive, each name once, hidden ones left out.
class archive_members {
 public:
  explicit archive_members(input_member like) : like_(std::move(like)) {}
  void add(const std::string& name) {
    if (is_hidden(name) || !names_.insert(name).second) return;
    all_.push_back(like_);
    all_.back().member = name;
  }
  [[nodiscard]] std::vector<input_member> all() && { return std::move(all_); }

 private:
  input_member like_;
  std::unordered_set<std::string> names_{};
  std::vector<input_member> all_{};
};

result<std::vector<input_member>> members_of_zip(input_member like) {
  like.container = "zip";
  const auto directory = zip_directory(like.path);
  if (!directory) return directory.why();
  archive_members found(std::move(like));
  for (const auto& e : *directory) found.add(e.name);
  return std::move(found).all();
}

std::vector<input_member> members_of_tar(input_member like, std::unique_ptr<byte_source> source) {
  like.container = like.container.empty() ? "tar" : like.container == "gzip" ? "tar.gz" : "tar.zst";
  tar_walk walk(std::move(source), like.path);
  archive_members found(std::move(like));
  while (const auto e = walk.next()) found.add(e->name);
  return std::move(found).all();
}

result<std::vector<input_member>> members_in(const input_member& file, const read_limits& limits) {
  std::vector<std::string> layers;
  auto source = plain_source(file_source({.path = file.path}), limits, file.path, &layers);
  auto like = file;
  like.container = layers.empty() ? "" : layers.front();
  if (layers.empty() && is_zip(source->head())) return members_of_zip(like);
  if (is_tar(source->head())) return members_of_tar(like, std::move(source));
  return std::vector{like};
}

result<std::vector<input_member>> members_of_file(const fs::path& path, const read_limits& limits) {
  std::error_code code;
  const auto bytes = fs::file_size(path, code);
  try {
    auto all = members_in({.path = path.string(), .file_bytes = code ? 0 : bytes}, limits);
    if (all.ok() && all->empty())
      return error{path.string() + " is an archive without files", "name one that holds traces"};
    return all;
  } catch (const failure& f) {
    return f.why();
  }
}

// Returns the files of a folder and of the folders in it; links to folders are not followed.
result<std::vector<fs::path>> files_of(const fs::path& folder) {
  std::error_code code;
  std::vector<fs::path> found;
  fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, code), end;
  for (; !code && at != end; at.increment(code)) {
    const auto hidden = is_hidden(at->path().filename().string());
    std::error_code of_entry;
    if (hidden && at->is_directory(of_entry)) at.disable_recursion_pending();
    if (!hidden && at->is_regular_file(of_entry)) found.push_back(at->path());
  }
  if (code)
    return error{fmt::format("cannot list {}: {}", folder.string(), code.message()),
                 "check your right to read it"};
  std::ranges::sort(found);
  return found;
}

// A file that cannot be inspected is listed as it is; opening it gives the reason.
result<std::vector<input_member>> members_of_folder(const std::string& path, const read_limits& limits) {
  const auto files = files_of(path);
  if (!files) return files.why();
  if (files->empty()) return error{path + " holds no files", "name the folder that holds the traces"};
  std::vector<input_member> all;
  for (const auto& file : *files) {
    auto of_file = members_of_file(file, limits);
    if (of_file)
      std::ranges::move(*of_file, std::back_inserter(all));
    else
      all.push_back({.path = file.string()});
  }
  return all;
}

}  // namespace

std::string name_of(const input_member& m) {
  return m.member.empty() ? m.path : fmt::format("{} in {}", m.member, m.path);
}

result<std::vector<input_member>> members_of(const std::string& path, const read_limits& limits) {
  std::error_code code;
  if (path == "-") return members_of("/dev/stdin", limits);
  const auto kind = fs::status(path, code).type();
  if (kind == fs::file_type::not_found)
    return error{path + ": no such file or folder", "check the path; it is relative to the current folder"};
  if (kind == fs::file_type::regular) return members_of_file(path, limits);
  if (kind == fs::file_type::directory) return members_of_folder(path, limits);
  // A pipe is read once, front to back, so that nothing can look into it before: archives need a file.
  if (kind == fs::file_type::fifo || kind == fs::file_type::character || kind == fs::file_type::socket)
    return std::vector{input_member{.path = path}};
  return error{path + " is neither a file nor a folder", "save its content as a file and name that"};
}

result<std::unique_ptr<byte_source>> open_member(const input_member& member, const read_limits& limits) {
  return input_opener(limits).open(member);
}

}  // namespace ridge::trace
