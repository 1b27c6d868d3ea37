// SPDX-License-Identifier: Apache-2.0
#include "import/input_opener.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "archives/archive_tar.hpp"
#include "archives/archive_zip.hpp"
#include "import/ahead_source.hpp"
#include "import/file_source.hpp"
#include "import/input_source.hpp"

namespace ridge::trace {
namespace {

class tar_bytes final : public byte_source {
 public:
  explicit tar_bytes(std::shared_ptr<tar_walk> walk) : walk_(std::move(walk)) {}
  std::size_t read(std::span<char> buffer) override { return walk_->read(buffer); }
  std::optional<error> ended_early() const override { return walk_->ended_early(); }

 private:
  std::shared_ptr<tar_walk> walk_;
};

error not_in_archive(const input_member& m) {
  return {fmt::format("{}: no file {} in this archive", m.path, m.member),
          "list it, and name a file that it has"};
}

result<std::unique_ptr<byte_source>> in_zip(const input_member& member, const read_limits& limits) {
  const auto directory = zip_directory(member.path);
  if (!directory) return directory.why();
  const auto at = std::ranges::find(*directory, member.member, &zip_entry::name);
  if (at == directory->end()) return not_in_archive(member);
  return zip_member(member.path, *at, limits);
}

}  // namespace

input_opener::input_opener(const read_limits& limits) : limits_(limits) {}
input_opener::~input_opener() = default;

bool input_opener::walk_to(const std::string& name) {
  while (const auto entry = walk_->next()) {
    if (entry->name == name) return true;
  }
  return false;
}

std::unique_ptr<byte_source> input_opener::in_tar(const input_member& member) {
  if (walk_ != nullptr && path_ == member.path && walk_to(member.member))
    return std::make_unique<tar_bytes>(walk_);
  path_ = member.path;
  walk_ = std::make_shared<tar_walk>(plain_source(file_source({.path = path_}), limits_, path_), path_);
  return walk_to(member.member) ? std::make_unique<tar_bytes>(walk_) : nullptr;
}

result<std::unique_ptr<byte_source>> input_opener::packed(const input_member& member) {
  if (member.container == "zip") return in_zip(member, limits_);
  if (!member.container.starts_with("tar")) return file_source({.path = member.path});
  auto source = in_tar(member);
  if (source == nullptr) return not_in_archive(member);
  return source;
}

result<std::unique_ptr<byte_source>> input_opener::open(const input_member& member) {
  constexpr std::uint64_t worth_a_thread = std::uint64_t{1} << 20;
  auto source = packed(member);
  if (!source) return source.why();
  std::unique_ptr<byte_source> plain = plain_source(std::move(*source), limits_, name_of(member));
  const bool unpacks = !plain->path() && member.file_bytes >= worth_a_thread;
  return unpacks ? ahead_source(std::move(plain)) : std::move(plain);
}

}  // namespace ridge::trace
