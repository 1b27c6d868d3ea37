// SPDX-License-Identifier: Apache-2.0
#include <ridge/plan/packed_file.hpp>

#include <algorithm>
#include <new>

#define ZLIB_CONST
#include <fmt/format.h>
#include <zlib.h>

#include <ridge/base/read_file.hpp>

namespace ridge::plan {
namespace {

constexpr std::string_view gzip_start = "\x1f\x8b";
constexpr int gzip_window = 15 + 16;  // zlib's numbers: the largest window, with a gzip header and trailer

class gzip_stream {
 public:
  explicit gzip_stream(std::string_view packed) : packed_(packed) {
    if (::inflateInit2(&zlib_, gzip_window) != Z_OK) throw std::bad_alloc();
  }
  ~gzip_stream() { ::inflateEnd(&zlib_); }
  gzip_stream(const gzip_stream&) = delete;
  gzip_stream& operator=(const gzip_stream&) = delete;

  // Appends the next piece of text; false: the stream is broken.
  [[nodiscard]] bool append_to(std::string& text) {
    constexpr std::size_t piece = std::size_t{1} << 20;
    const auto size = text.size(), given = std::min(packed_.size(), piece);
    text.resize(size + piece);
    zlib_.next_in = reinterpret_cast<const Bytef*>(packed_.data());
    zlib_.avail_in = static_cast<uInt>(given);
    zlib_.next_out = reinterpret_cast<Bytef*>(text.data() + size);
    zlib_.avail_out = static_cast<uInt>(piece);
    const auto code = ::inflate(&zlib_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    packed_.remove_prefix(given - zlib_.avail_in);
    text.resize(text.size() - zlib_.avail_out);
    member_ended_ = code == Z_STREAM_END;
    if (member_ended_) ::inflateReset(&zlib_);
    return member_ended_ || code == Z_OK;
  }
  // Whether the last member is read: what follows one, such as padding, need not be another.
  [[nodiscard]] bool ended() const { return member_ended_ && !packed_.starts_with(gzip_start); }

 private:
  std::string_view packed_;
  ::z_stream zlib_{};
  bool member_ended_ = false;
};

result<std::string> inflated(std::string_view packed, const std::string& name, std::size_t most_bytes) {
  gzip_stream stream(packed);
  std::string text;
  while (!stream.ended()) {
    if (!stream.append_to(text))
      return error{fmt::format("{}: broken gzip stream", name), "fetch the file again"};
    if (text.size() > most_bytes)
      return error{fmt::format("{}: more than {} bytes of text", name, most_bytes), "check the path"};
  }
  return text;
}

}  // namespace

result<std::string> packed_file(const std::filesystem::path& path, std::size_t most_bytes) {
  auto text = read_file(path, most_bytes);
  if (!text || !text->starts_with(gzip_start)) return text;
  return inflated(*text, path.string(), most_bytes);
}

std::filesystem::path plain_or_packed(const std::filesystem::path& path) {
  auto packed = path;
  packed += ".gz";
  std::error_code none;
  return !std::filesystem::exists(path, none) && std::filesystem::exists(packed, none) ? packed : path;
}

}  // namespace ridge::plan
