// SPDX-License-Identifier: Apache-2.0
#include "import/input_opener.hpp"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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
  tar_bytes(std::shared_ptr<tar_walk> walk, std::uint64_t bytes) : walk_(std::move(walk)), bytes_(bytes) {}
  std::size_t read(std::span<char> buffer) override { return walk_->read(buffer); }
  std::optional<error> ended_early() const override { return walk_->ended_early(); }
  std::optional<std::uint64_t> size_hint() const override { return bytes_; }

 private:
  std::shared_ptr<tar_walk> walk_;
  std::uint64_t bytes_;
};

error not_in_archive(const input_member& m) {
  return {fmt::format("{}: no file {} in this archive", m.path, m.member),
          "list it, and name a file that it has"};
}

}  // namespace

// The directory of one zip, by name; of equal names the first counts, as in members_of().
class input_opener::zip_index {
 public:
  explicit zip_index(std::vector<zip_entry> entries) : entries_(std::move(entries)) {
    for (const auto& e : entries_) by_name_.try_emplace(e.name, &e);
  }
  [[nodiscard]] const zip_entry* find(std::string_view name) const {
    const auto at = by_name_.find(name);
    return at == by_name_.end() ? nullptr : at->second;
  }

 private:
  std::vector<zip_entry> entries_;
  std::unordered_map<std::string_view, const zip_entry*> by_name_{};
};

input_opener::input_opener(const read_limits& limits) : limits_(limits) {}
input_opener::~input_opener() = default;

result<std::unique_ptr<byte_source>> input_opener::in_zip(const input_member& member) {
  if (zip_ == nullptr || zip_path_ != member.path) {
    auto directory = zip_directory(member.path);
    if (!directory) return directory.why();
    zip_ = std::make_unique<zip_index>(std::move(*directory));
    zip_path_ = member.path;
  }
  const auto* entry = zip_->find(member.member);
  return entry == nullptr ? result<std::unique_ptr<byte_source>>(not_in_archive(member))
                          : zip_member(member.path, *entry, limits_);
}

std::unique_ptr<byte_source> input_opener::walk_to(const std::string& name) {
  while (const auto entry = walk_->next()) {
    if (entry->name == name) return std::make_unique<tar_bytes>(walk_, entry->bytes);
  }
  return nullptr;
}

std::unique_ptr<byte_source> input_opener::in_tar(const input_member& member) {
  if (walk_ != nullptr && path_ == member.path) {
    if (auto found = walk_to(member.member)) return found;
  }
  path_ = member.path;
  walk_ = std::make_shared<tar_walk>(plain_source(file_source({.path = path_}), limits_, path_), path_);
  return walk_to(member.member);
}

result<std::unique_ptr<byte_source>> input_opener::packed(const input_member& member) {
  if (member.container == "zip") return in_zip(member);
  if (!member.container.starts_with("tar")) return file_source({.path = member.path});
  auto source = in_tar(member);
  if (source == nullptr) return not_in_archive(member);
  return source;
}

result<std::unique_ptr<byte_source>> input_opener::open(const input_member& member) {
  constexpr std::uint64_t worth_a_thread = std::uint64_t{1} << 20;
  auto source = packed(member);
  if (!source) return source.why();
  const auto bytes = (*source)->size_hint().value_or(member.file_bytes);
  std::unique_ptr<byte_source> plain = plain_source(std::move(*source), limits_, name_of(member));
  const bool unpacks = !plain->path() && bytes >= worth_a_thread;
  return unpacks ? ahead_source(std::move(plain)) : std::move(plain);
}

}  // namespace ridge::trace
