// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/digest.hpp>

#include <algorithm>
#include <cstring>

#include <ridge/device/digest_step.hpp>

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "digest.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::device::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr std::size_t lane_count = digest_lanes;
constexpr std::uint64_t multiplier = digest_multiplier;

// Takes `stripes` times 32 words into the 32 states.
#if HWY_TARGET == HWY_SCALAR

void absorb(std::uint64_t* state, const std::byte* source, std::size_t stripes) {
  for (std::size_t i = 0; i < stripes * lane_count; ++i, source += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, source, sizeof word);
    state[i % lane_count] = digest_step(state[i % lane_count], word);
  }
}

#else

using wide = hn::CappedTag<std::uint64_t, 8>;
using narrow = hn::Repartition<std::uint32_t, wide>;
using bytes = hn::Repartition<std::uint8_t, wide>;
using lanes = hn::Vec<wide>;

HWY_INLINE lanes step(lanes state, const std::uint8_t* source) {
  const auto factor = hn::Set(narrow(), static_cast<std::uint32_t>(multiplier));
  const auto in = hn::BitCast(narrow(), hn::Xor(state, hn::BitCast(wide(), hn::LoadU(bytes(), source))));
  const lanes high = hn::ShiftLeft<32>(hn::MulEven(hn::Shuffle2301(in), factor));
  const lanes product = hn::Add(hn::MulEven(in, factor), high);
  return hn::BitCast(wide(), hn::Shuffle2301(hn::BitCast(narrow(), product)));
}

// Four vectors at a time hide the multiplier's latency and stay in registers.
void absorb(std::uint64_t* state, const std::byte* source, std::size_t stripes) {
  const wide d;
  const std::size_t n = hn::Lanes(d), size = sizeof(std::uint64_t);
  const auto* from = reinterpret_cast<const std::uint8_t*>(source);
  for (std::size_t j = 0; j < lane_count; j += 4 * n) {
    lanes a = hn::LoadU(d, state + j), b = hn::LoadU(d, state + j + n);
    lanes c = hn::LoadU(d, state + j + 2 * n), e = hn::LoadU(d, state + j + 3 * n);
    for (std::size_t s = 0; s < stripes; ++s) {
      const std::uint8_t* at = from + (s * lane_count + j) * size;
      a = step(a, at), b = step(b, at + n * size);
      c = step(c, at + 2 * n * size), e = step(e, at + 3 * n * size);
    }
    hn::StoreU(a, d, state + j), hn::StoreU(b, d, state + j + n);
    hn::StoreU(c, d, state + j + 2 * n), hn::StoreU(e, d, state + j + 3 * n);
  }
}

#endif

}  // namespace ridge::device::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::device {
namespace {

HWY_EXPORT(absorb);

constexpr std::size_t lanes = digest_lanes;
constexpr std::size_t stripe_bytes = lanes * sizeof(std::uint64_t);
constexpr std::size_t chunk_bytes = digest_chunk_bytes;

std::uint64_t digest_chunk(std::span<const std::byte> chunk) {
  std::uint64_t state[lanes];
  for (std::size_t j = 0; j < lanes; ++j) state[j] = digest_place(j);
  const std::size_t stripes = chunk.size() / stripe_bytes, whole = stripes * stripe_bytes;
  HWY_DYNAMIC_DISPATCH(absorb)(state, chunk.data(), stripes);
  if (whole < chunk.size()) {
    std::byte tail[stripe_bytes] = {};
    std::memcpy(tail, chunk.data() + whole, chunk.size() - whole);
    HWY_DYNAMIC_DISPATCH(absorb)(state, tail, 1);
  }
  std::uint64_t sum = 0;
  for (std::size_t j = 0; j < lanes; ++j) sum += digest_mixed(state[j] ^ digest_place(j));
  return sum;
}

}  // namespace

std::uint64_t digest(std::span<const std::byte> source) {
  std::uint64_t sum = digest_mixed(source.size());
  for (std::size_t at = 0; at < source.size(); at += chunk_bytes) {
    const auto chunk = source.subspan(at, std::min(chunk_bytes, source.size() - at));
    sum += digest_mixed(digest_chunk(chunk) ^ digest_place(at / chunk_bytes));
  }
  return digest_mixed(sum);
}

}  // namespace ridge::device
#endif
