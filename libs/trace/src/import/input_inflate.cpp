// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include <isa-l/igzip_lib.h>

#include "import/input_unpacker.hpp"

namespace ridge::trace {
namespace {

std::uint32_t clipped(std::size_t n) {
  return static_cast<std::uint32_t>(std::min<std::size_t>(n, std::numeric_limits<std::uint32_t>::max()));
}

const char* words_for(int code) {
  switch (code) {
    case ISAL_INVALID_BLOCK:
      return "invalid block type";
    case ISAL_INVALID_SYMBOL:
      return "invalid code";
    case ISAL_INVALID_LOOKBACK:
      return "a distance before its start";
    case ISAL_INVALID_WRAPPER:
      return "invalid header";
    case ISAL_UNSUPPORTED_METHOD:
      return "unknown compression method";
    case ISAL_INCORRECT_CHECKSUM:
      return "incorrect checksum";
    default:
      return "damaged data";
  }
}

// RFC 1951 and, with a header and checksum, RFC 1952; by ISA-L (record 0048).
class inflater final : public unpacker {
 public:
  explicit inflater(std::uint32_t wrapper) : wrapper_(wrapper) { begin(); }

  step unpack(std::span<const char> packed, std::span<char> out) override {
    state_.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(packed.data()));  // only read
    state_.avail_in = clipped(packed.size());
    state_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state_.avail_out = clipped(out.size());
    code_ = ::isal_inflate(&state_);
    return {.consumed = clipped(packed.size()) - state_.avail_in,
            .produced = clipped(out.size()) - state_.avail_out,
            .now = code_ < ISAL_DECOMP_OK                    ? state::damaged
                   : state_.block_state == ISAL_BLOCK_FINISH ? state::frame_end
                                                             : state::more};
  }
  void restart() override { begin(); }
  bool begins(std::string_view head) const override { return wrapper_ == ISAL_GZIP && begins_gzip(head); }
  std::string_view format() const override { return wrapper_ == ISAL_GZIP ? "gzip" : "deflate"; }
  std::string damage() const override { return words_for(code_); }

 private:
  void begin() {
    ::isal_inflate_init(&state_);
    state_.crc_flag = wrapper_;
  }

  ::inflate_state state_{};
  std::uint32_t wrapper_;
  int code_ = ISAL_DECOMP_OK;
};

}  // namespace

bool begins_gzip(std::string_view head) { return head.starts_with("\x1f\x8b"); }

std::unique_ptr<unpacker> gzip_unpacker() { return std::make_unique<inflater>(ISAL_GZIP); }
std::unique_ptr<unpacker> deflate_unpacker() { return std::make_unique<inflater>(ISAL_DEFLATE); }

}  // namespace ridge::trace
