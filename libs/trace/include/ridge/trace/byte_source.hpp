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
  // Fills as much of `into` as there is left; 0 at the end. A damaged or truncated container ends the stream
  // early: ended_early() then says how. Throws io_failure where the file cannot be read, and failure where a
  // limit of read_limits is passed.
  [[nodiscard]] virtual std::size_t read(std::span<char> into) = 0;
  [[nodiscard]] virtual std::optional<error> ended_early() const { return std::nullopt; }
  // Bytes behind the end of the container that belong to nothing; told once the stream is at its end.
  [[nodiscard]] virtual std::uint64_t trailing_bytes() const { return 0; }
  // How many bytes it will give, where that is known; a hint only.
  [[nodiscard]] virtual std::optional<std::uint64_t> size_hint() const { return std::nullopt; }
  // A path that holds exactly these bytes, for formats that need random access; nullopt: only a stream.
  [[nodiscard]] virtual std::optional<std::string> path() const { return std::nullopt; }
};

// What reading may cost. A container that passes content_bytes, or that expands further than `expansion` past
// bomb_bytes, is refused.
struct read_limits {
  std::uint64_t memory_bytes = std::uint64_t{8} << 30;    // of the trace being built (`--max-memory`)
  std::uint64_t content_bytes = std::uint64_t{64} << 30;  // uncompressed
  std::uint64_t bomb_bytes = std::uint64_t{1} << 30;      // uncompressed
  double expansion = 2000;
};

// The limits that `--max-memory` stands for: content up to 8 times as large, suspicion from an eighth on,
// neither below its usual value.
[[nodiscard]] read_limits limits_for(std::uint64_t memory_bytes);

// One document of an input: a plain or compressed file, or a member of an archive.
struct input_member {
  std::string path{};       // of the file
  std::string member{};     // in the archive; empty: the file itself
  std::string container{};  // "", "gzip", "zstd", "zip", "tar", "tar.gz", "tar.zst"
  std::uint64_t file_bytes = 0;
};

[[nodiscard]] std::string name_of(const input_member& m);  // for people: "a.json in b.zip"

// The documents of a file or folder: a folder gives its files (not hidden ones, sorted by name), an archive
// its members. Told by content, never by suffix. Errors name the path and what is wrong with it.
[[nodiscard]] result<std::vector<input_member>> members_of(const std::string& path,
                                                           const read_limits& limits = {});

[[nodiscard]] result<std::unique_ptr<byte_source>> open_member(const input_member& member,
                                                               const read_limits& limits = {});

// A source over bytes in memory, which must outlive it.
[[nodiscard]] std::unique_ptr<byte_source> source_of(std::string_view bytes);

}  // namespace ridge::trace
