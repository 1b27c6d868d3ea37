// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <new>

#define ZLIB_CONST
#include <zlib.h>

#include "import/input_unpacker.hpp"

namespace ridge::trace {
namespace {

constexpr int gzip_window =
    15 + 16;  // zlib's own numbers: the largest window, with a gzip header and trailer
constexpr int bare_window = -15;

uInt clipped(std::size_t n) {
  return static_cast<uInt>(std::min<std::size_t>(n, std::numeric_limits<uInt>::max()));
}

class inflater final : public unpacker {
 public:
  explicit inflater(int window) : window_(window) {
    if (::inflateInit2(&zlib_, window) != Z_OK) throw std::bad_alloc();
  }
  ~inflater() override { ::inflateEnd(&zlib_); }
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;

  step unpack(std::span<const char> packed, std::span<char> out) override {
    zlib_.next_in = reinterpret_cast<const Bytef*>(packed.data());
    zlib_.avail_in = clipped(packed.size());
    zlib_.next_out = reinterpret_cast<Bytef*>(out.data());
    zlib_.avail_out = clipped(out.size());
    const auto code = ::inflate(&zlib_, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    const bool fine = code == Z_OK || code == Z_BUF_ERROR;
    return {.consumed = clipped(packed.size()) - zlib_.avail_in,
            .produced = clipped(out.size()) - zlib_.avail_out,
            .now = code == Z_STREAM_END ? state::frame_end
                   : fine               ? state::more
                                        : state::damaged};
  }
  void restart() override { static_cast<void>(::inflateReset(&zlib_)); }
  bool begins(std::string_view head) const override { return window_ == gzip_window && begins_gzip(head); }
  std::string_view format() const override { return window_ == gzip_window ? "gzip" : "deflate"; }
  std::string damage() const override { return zlib_.msg == nullptr ? "damaged data" : zlib_.msg; }

 private:
  ::z_stream zlib_{};
  int window_;
};

}  // namespace

bool begins_gzip(std::string_view head) { return head.starts_with("\x1f\x8b"); }

std::unique_ptr<unpacker> gzip_unpacker() { return std::make_unique<inflater>(gzip_window); }
std::unique_ptr<unpacker> deflate_unpacker() { return std::make_unique<inflater>(bare_window); }

}  // namespace ridge::trace
