// SPDX-License-Identifier: Apache-2.0
#include "philox_lanes.hpp"

#include <ridge/device/generate.hpp>

// These instruction sets would only repeat another's code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "philox_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::device::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // lanes of one word cannot be seen as halves of a wider one

void words(std::uint64_t key, std::uint64_t first_group, std::size_t groups,
           std::uint32_t* HWY_RESTRICT out) {
  for (std::size_t i = 0; i < lane_group * groups; ++i) out[i] = word_at(key, lane_group * first_group + i);
}

void normals(std::uint64_t key, std::uint64_t first_group, std::size_t groups,
             std::uint32_t* HWY_RESTRICT out) {
  for (std::size_t i = 0; i < lane_group * groups; ++i) {
    out[i] = static_cast<std::uint32_t>(normal_at(key, lane_group * first_group + i));
  }
}

#else

namespace hn = hwy::HWY_NAMESPACE;

using wide = hn::CappedTag<std::uint64_t, 8>;  // one block a lane; what stands above bit 32 is never read
using narrow = hn::Repartition<std::uint32_t, wide>;
using lanes = hn::Vec<wide>;

struct blocks {
  lanes w0, w1, w2, w3;
};

HWY_INLINE lanes times(lanes a, std::uint32_t b) {
  return hn::MulEven(hn::BitCast(narrow(), a), hn::Set(narrow(), b));
}

// The ten rounds' keys, one vector each, so that a round reads them from memory with its exclusive or.
struct schedule {
  HWY_ALIGN std::uint64_t round_key[20 * 8];

  explicit HWY_INLINE schedule(std::uint64_t key) {
    auto key0 = static_cast<std::uint32_t>(key), key1 = static_cast<std::uint32_t>(key >> 32);
    for (std::size_t i = 0; i < 20 * 8; i += 16, key0 += philox_key_step[0], key1 += philox_key_step[1]) {
      hn::Store(hn::Set(wide(), key0), wide(), round_key + i);
      hn::Store(hn::Set(wide(), key1), wide(), round_key + i + 8);
    }
  }
};

HWY_INLINE void turn(blocks& b, const std::uint64_t* key) {
  const wide d;
  const lanes p0 = times(b.w0, philox_multiplier[0]), p1 = times(b.w2, philox_multiplier[1]);
  b = {hn::Xor3(hn::ShiftRight<32>(p1), b.w1, hn::Load(d, key)), p1,
       hn::Xor3(hn::ShiftRight<32>(p0), b.w3, hn::Load(d, key + 8)), p0};
}

HWY_INLINE blocks philox(lanes index, purpose why, std::uint32_t part, const schedule& keys) {
  const wide d;
  blocks b{index, hn::ShiftRight<32>(index), hn::Set(d, part), hn::Set(d, static_cast<std::uint32_t>(why))};
  for (int round = 0; round < 10; ++round) turn(b, keys.round_key + 16 * round);
  return b;
}

// Low words of `even` and `odd`, alternating.
HWY_INLINE hn::Vec<narrow> zip(lanes even, lanes odd) {
  return hn::OddEven(hn::BitCast(narrow(), hn::ShiftLeft<32>(odd)), hn::BitCast(narrow(), even));
}

void words(std::uint64_t key, std::uint64_t first_group, std::size_t groups,
           std::uint32_t* HWY_RESTRICT out) {
  const wide d;
  const schedule keys(key);
  const lanes step = hn::Set(d, hn::Lanes(d));
  lanes index = hn::Iota(d, 8 * first_group);
  for (std::size_t g = 0; g < groups; ++g, out += lane_group) {
    for (std::size_t at = 0; at < 8; at += hn::Lanes(d), index = hn::Add(index, step)) {
      const blocks b = philox(index, purpose::words, 0, keys);
      hn::StoreU(zip(b.w0, b.w1), narrow(), out + 2 * at);
      hn::StoreU(zip(b.w2, b.w3), narrow(), out + 16 + 2 * at);
    }
  }
}

HWY_INLINE hn::Vec<narrow> halves(hn::Vec<narrow> sum, hn::Vec<narrow> word) {
  return hn::Add(hn::Add(sum, hn::ShiftRight<16>(word)), hn::And(word, hn::Set(narrow(), 0xFFFFu)));
}

HWY_INLINE hn::Vec<narrow> normal_pairs(lanes pair, const schedule& keys) {
  const blocks even = philox(pair, purpose::normals, 0, keys);
  const blocks shared = philox(pair, purpose::normals, 1, keys);
  const blocks odd = philox(pair, purpose::normals, 2, keys);
  auto sum = hn::Set(narrow(), static_cast<std::uint32_t>(-normal_centre));
  sum = halves(sum, zip(even.w0, odd.w0));
  sum = halves(sum, zip(even.w1, odd.w1));
  sum = halves(sum, zip(even.w2, odd.w2));
  sum = halves(sum, zip(even.w3, odd.w3));
  sum = halves(sum, zip(shared.w0, shared.w2));
  return halves(sum, zip(shared.w1, shared.w3));
}

void normals(std::uint64_t key, std::uint64_t first_group, std::size_t groups,
             std::uint32_t* HWY_RESTRICT out) {
  const wide d;
  const schedule keys(key);
  const lanes step = hn::Set(d, hn::Lanes(d));
  lanes index = hn::Iota(d, 16 * first_group);
  for (std::size_t pair = 0; pair < 16 * groups; pair += hn::Lanes(d), index = hn::Add(index, step)) {
    hn::StoreU(normal_pairs(index, keys), narrow(), out + 2 * pair);
  }
}

#endif

}  // namespace ridge::device::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::device {

HWY_EXPORT(words);
HWY_EXPORT(normals);

void draw_words(std::uint64_t key, std::uint64_t first_group, std::size_t groups, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(words)(key, first_group, groups, out);
}

void draw_normals(std::uint64_t key, std::uint64_t first_group, std::size_t groups, std::uint32_t* out) {
  HWY_DYNAMIC_DISPATCH(normals)(key, first_group, groups, out);
}

}  // namespace ridge::device
#endif
