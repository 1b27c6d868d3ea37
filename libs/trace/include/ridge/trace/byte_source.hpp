// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/base/result.hpp>

namespace ridge::trace {

// A stream of uncompressed bytes, read once from front to back.
class byte_source {
 public:
  virtual ~byte_source() = default;
  // Fills `buffer` as far as bytes are left and returns how many it wrote; 0 at the end. A damaged or
  // truncated container ends the stream early: ended_early() then says how. Throws io_failure where the file
  // cannot be read, and failure where a limit of read_limits is passed.
  [[nodiscard]] virtual std::size_t read(std::span<char> buffer) = 0;

  // Says how a damaged container ended the stream; nullopt for a whole one.
  [[nodiscard]] virtual std::optional<error> ended_early() const { return std::nullopt; }
  // Number of bytes behind the end of the container that belong to nothing. Known once the stream has ended.
  [[nodiscard]] virtual std::uint64_t trailing_bytes() const { return 0; }
  // Number of bytes that the stream will give, where that is known. It is a hint only.
  [[nodiscard]] virtual std::optional<std::uint64_t> size_hint() const { return std::nullopt; }
  // Path of a file that holds exactly these bytes, for formats that need random access; nullopt where there
  // is only a stream.
  [[nodiscard]] virtual std::optional<std::string> path() const { return std::nullopt; }
};

// Limits of what reading may cost. A container is refused when its content passes content_bytes, or when it
// expands by more than `expansion` beyond bomb_bytes.
struct read_limits {
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;    // memory of the trace being built (`--max-memory`)
  std::uint64_t content_bytes = std::uint64_t{64} << 30;  // uncompressed
  std::uint64_t bomb_bytes = std::uint64_t{1} << 30;      // uncompressed
  double expansion = 2000;
};

// Returns the limits that `--max-memory` stands for: content_bytes is eight times `memory_bytes`, bomb_bytes
// an eighth of it, neither below its default.
[[nodiscard]] read_limits limits_for(std::uint64_t memory_bytes);

// One document of an input: a plain or compressed file, or a member of an archive.
struct input_member {
  std::string path{};       // path of the file
  std::string member{};     // name within the archive; empty for the file itself
  std::string container{};  // "", "gzip", "zstd", "zip", "tar", "tar.gz", "tar.zst"
  std::uint64_t file_bytes = 0;
};

[[nodiscard]] std::string name_of(const input_member& m);  // for people: "a.json in b.zip"

// Returns the documents of a file or folder: the files of a folder and of the folders in it (sorted by path,
// without hidden ones) and the members of an archive. Archives are recognised by their content, never by a
// suffix. An error names the path and what is wrong with it.
[[nodiscard]] result<std::vector<input_member>> members_of(const std::string& path,
                                                           const read_limits& limits = {});

// Opens one document for reading, unpacked where it is compressed. An error names the file and what is wrong
// with it.
[[nodiscard]] result<std::unique_ptr<byte_source>> open_member(const input_member& member,
                                                               const read_limits& limits = {});

// Returns a source over bytes in memory, which must outlive the source.
[[nodiscard]] std::unique_ptr<byte_source> source_of(std::string_view bytes);

}  // namespace ridge::trace
