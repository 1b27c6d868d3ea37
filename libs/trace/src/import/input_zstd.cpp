// SPDX-License-Identifier: Apache-2.0
#include <new>

#include <zstd.h>

#include "import/input_unpacker.hpp"

namespace ridge::trace {
namespace {

class zstd_stream final : public unpacker {
 public:
  zstd_stream() : stream_(::ZSTD_createDStream()) {
    if (stream_ == nullptr) throw std::bad_alloc();
  }
  ~zstd_stream() override { ::ZSTD_freeDStream(stream_); }
  zstd_stream(const zstd_stream&) = delete;
  zstd_stream& operator=(const zstd_stream&) = delete;

  step unpack(std::span<const char> packed, std::span<char> out) override {
    ::ZSTD_inBuffer from{packed.data(), packed.size(), 0};
    ::ZSTD_outBuffer to{out.data(), out.size(), 0};
    const auto code = ::ZSTD_decompressStream(stream_, &to, &from);
    const bool bad = ::ZSTD_isError(code) != 0;
    if (bad) damage_ = ::ZSTD_getErrorName(code);
    return {.consumed = from.pos,
            .produced = to.pos,
            .now = bad         ? state::damaged
                   : code == 0 ? state::frame_end
                               : state::more};
  }
  void restart() override { static_cast<void>(::ZSTD_DCtx_reset(stream_, ::ZSTD_reset_session_only)); }
  bool begins(std::string_view head) const override { return begins_zstd(head); }
  std::string_view format() const override { return "zstd"; }
  std::string damage() const override { return damage_; }

 private:
  ::ZSTD_DStream* stream_;
  std::string damage_{};
};

}  // namespace

bool begins_zstd(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.size() < 4) return false;
  const auto skippable = (head[0] & '\xf0') == '\x50' && head.substr(1, 3) == "\x2a\x4d\x18"sv;
  return skippable || head.starts_with("\x28\xb5\x2f\xfd"sv);
}

std::unique_ptr<unpacker> zstd_unpacker() { return std::make_unique<zstd_stream>(); }

}  // namespace ridge::trace
