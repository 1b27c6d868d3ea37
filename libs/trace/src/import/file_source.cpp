// SPDX-License-Identifier: Apache-2.0
#include "import/file_source.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include <fmt/format.h>

namespace ridge::trace {
namespace {

class file_bytes final : public byte_source {
 public:
  explicit file_bytes(const file_part& part) : part_(part), position_(part.offset) {
    file_ = ::open(part.path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file_ < 0) throw io_failure("open", part.path, errno, "check its name and your right to read it");
    struct ::stat facts {};
    is_stream_ = ::fstat(file_, &facts) == 0 && !S_ISREG(facts.st_mode);
    if (!is_stream_) file_bytes_ = static_cast<std::uint64_t>(facts.st_size);
    static_cast<void>(::posix_fadvise(file_, 0, 0, POSIX_FADV_SEQUENTIAL));
  }
  ~file_bytes() override { ::close(file_); }
  file_bytes(const file_bytes&) = delete;
  file_bytes& operator=(const file_bytes&) = delete;

  std::size_t read(std::span<char> buffer) override {
    if (part_.length) buffer = buffer.first(std::min<std::uint64_t>(buffer.size(), left()));
    std::size_t done = 0;
    while (done < buffer.size()) {
      const auto n = read_some(buffer.subspan(done));
      if (n == 0) break;
      done += n;
      position_ += n;
    }
    if (part_.length && done < buffer.size()) cut_short_ = true;
    return done;
  }

  std::optional<error> ended_early() const override {
    if (!cut_short_) return std::nullopt;
    return error{fmt::format("{}: the file ends {} bytes before this part of it does", part_.path, left()),
                 "copy the file again"};
  }

  std::optional<std::uint64_t> size_hint() const override {
    if (is_stream_) return std::nullopt;
    return part_.length ? *part_.length : file_bytes_ - std::min(file_bytes_, part_.offset);
  }

  std::optional<std::string> path() const override {
    return is_stream_ || part_.length || part_.offset > 0 ? std::nullopt : std::optional(part_.path);
  }

 private:
  [[nodiscard]] std::uint64_t left() const { return part_.offset + *part_.length - position_; }

  std::size_t read_some(std::span<char> buffer) {
    for (;;) {
      const auto n = is_stream_
                         ? ::read(file_, buffer.data(), buffer.size())
                         : ::pread(file_, buffer.data(), buffer.size(), static_cast<::off_t>(position_));
      if (n >= 0) return static_cast<std::size_t>(n);
      if (errno != EINTR) throw io_failure("read", part_.path, errno);
    }
  }

  file_part part_;
  std::uint64_t position_;
  std::uint64_t file_bytes_ = 0;
  int file_ = -1;
  bool is_stream_ = false;  // a pipe or a terminal: read where it is, and once
  bool cut_short_ = false;
};

}  // namespace

std::unique_ptr<byte_source> file_source(const file_part& part) { return std::make_unique<file_bytes>(part); }

}  // namespace ridge::trace
