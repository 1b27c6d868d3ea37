// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>

#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "flash_attention_forward.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cpu.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch10_flash_attention_forward::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Queries of a tile, and keys of a block. A tile's scores and sums stay in the first-level cache.
constexpr std::size_t tile_rows = 32, block_keys = 64;
constexpr std::size_t rows_at_once = 4, vectors_at_once = 2;

// c[r][j] += sum over t of a[r][t] b[t][j] for r < rows and j < columns, a multiple of 32: sums stay in
// registers, which hold four rows of two vectors.
void multiply_add(const float* a, std::size_t a_pitch, const float* b, std::size_t b_pitch, float* c,
                  std::size_t c_pitch, std::size_t rows, std::size_t terms, std::size_t columns) {
  const hn::CappedTag<float, 16> d;
  const std::size_t lanes = hn::Lanes(d), step = vectors_at_once * lanes;
  for (std::size_t r = 0; r < rows; r += rows_at_once) {
    const std::size_t last = rows - 1;
    const std::size_t r1 = std::min(r + 1, last), r2 = std::min(r + 2, last), r3 = std::min(r + 3, last);
    const float *a0 = a + r * a_pitch, *a1 = a + r1 * a_pitch, *a2 = a + r2 * a_pitch, *a3 = a + r3 * a_pitch;
    for (std::size_t j = 0; j < columns; j += step) {
      float *c0 = c + r * c_pitch + j, *c1 = c + r1 * c_pitch + j, *c2 = c + r2 * c_pitch + j,
            *c3 = c + r3 * c_pitch + j;
      auto s00 = hn::LoadU(d, c0), s01 = hn::LoadU(d, c0 + lanes), s10 = hn::LoadU(d, c1),
           s11 = hn::LoadU(d, c1 + lanes), s20 = hn::LoadU(d, c2), s21 = hn::LoadU(d, c2 + lanes),
           s30 = hn::LoadU(d, c3), s31 = hn::LoadU(d, c3 + lanes);
      for (std::size_t t = 0; t < terms; ++t) {
        const auto b0 = hn::LoadU(d, b + t * b_pitch + j), b1 = hn::LoadU(d, b + t * b_pitch + j + lanes);
        const auto x0 = hn::Set(d, a0[t]), x1 = hn::Set(d, a1[t]), x2 = hn::Set(d, a2[t]),
                   x3 = hn::Set(d, a3[t]);
        s00 = hn::MulAdd(x0, b0, s00), s01 = hn::MulAdd(x0, b1, s01);
        s10 = hn::MulAdd(x1, b0, s10), s11 = hn::MulAdd(x1, b1, s11);
        s20 = hn::MulAdd(x2, b0, s20), s21 = hn::MulAdd(x2, b1, s21);
        s30 = hn::MulAdd(x3, b0, s30), s31 = hn::MulAdd(x3, b1, s31);
      }
      // Rows past the last are the last once more: they hold the same sums.
      hn::StoreU(s30, d, c3), hn::StoreU(s31, d, c3 + lanes), hn::StoreU(s20, d, c2),
          hn::StoreU(s21, d, c2 + lanes);
      hn::StoreU(s10, d, c1), hn::StoreU(s11, d, c1 + lanes), hn::StoreU(s00, d, c0),
          hn::StoreU(s01, d, c0 + lanes);
    }
  }
}

// Replaces a row of scores by exp(score - most) and returns their sum.
float exponentials(float* scores, float most) {
  const hn::CappedTag<float, 16> d;
  auto sum = hn::Zero(d);
  for (std::size_t j = 0; j < block_keys; j += hn::Lanes(d)) {
    const auto e = hn::Exp(d, hn::Sub(hn::LoadU(d, scores + j), hn::Set(d, most)));
    hn::StoreU(e, d, scores + j);
    sum = hn::Add(sum, e);
  }
  return hn::GetLane(hn::SumOfLanes(d, sum));
}

// What a tile of queries has summed up so far.
struct tile {
  float q[tile_rows * 128], o[tile_rows * 128], s[tile_rows * block_keys];
  float most[tile_rows], sum[tile_rows];
};

// Takes the scores of keys first .. first + 63 into the row's running maximum and sum, and scales what was
// summed with the maximum before.
void take_block(tile& t, std::size_t row, std::size_t seen, std::size_t width) {
  float* scores = t.s + row * block_keys;
  for (std::size_t j = seen; j < block_keys; ++j) scores[j] = -INFINITY;
  const float most = std::max(t.most[row], *std::max_element(scores, scores + block_keys));
  const float keep = std::exp(t.most[row] - most);
  t.most[row] = most;
  t.sum[row] = t.sum[row] * keep + exponentials(scores, most);
  if (keep == 1) return;
  for (std::size_t e = 0; e < width; ++e) t.o[row * width + e] *= keep;
}

// Queries first .. first + tile_rows - 1 of a head, over keys that are packed by blocks (width x 64 each) and
// values in rows; both are filled up with zeros to whole blocks.
void attend_tile(const workload& w, std::size_t head, std::size_t first, const float* keys,
                 const float* values) {
  const auto& size = w.size;
  const std::size_t rows = std::min(tile_rows, size.tokens - first), width = size.width;
  const float scale = 1 / std::sqrt(static_cast<float>(width));
  tile t;
  for (std::size_t r = 0; r < rows; ++r) {
    const bf16* q = w.q.data() + ((first + r) * size.heads + head) * width;
    for (std::size_t e = 0; e < width; ++e) t.q[r * width + e] = q[e] * scale, t.o[r * width + e] = 0;
    t.most[r] = -3e38F, t.sum[r] = 0;
  }
  for (std::size_t block = 0; block < size.seen_by(first + rows - 1); block += block_keys) {
    std::fill_n(t.s, rows * block_keys, 0.0F);
    multiply_add(t.q, width, keys + block * width, block_keys, t.s, block_keys, rows, width, block_keys);
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t seen = size.seen_by(first + r);
      take_block(t, r, std::min(block_keys, seen - std::min(seen, block)), width);
    }
    multiply_add(t.s, block_keys, values + block * width, width, t.o, width, rows, block_keys, width);
  }
  for (std::size_t r = 0; r < rows; ++r) {
    bf16* o = w.o.data() + ((first + r) * size.heads + head) * width;
    for (std::size_t e = 0; e < width; ++e) o[e] = bf16(t.o[r * width + e] / t.sum[r]);
  }
}

}  // namespace ridge::experiments::ch10_flash_attention_forward::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch10_flash_attention_forward {
HWY_EXPORT(attend_tile);
namespace {

constexpr std::size_t tile_rows = 32, block_keys = 64;

const bf16* row_of(input<bf16> all, const extents& size, std::size_t token, std::size_t kv_head) {
  return all.data() + (token * size.kv_heads + kv_head) * size.width;
}

void softmax(std::span<float> row) {
  const float most = *std::ranges::max_element(row);
  float sum = 0;
  for (float& x : row) sum += x = std::exp(x - most);
  for (float& x : row) x /= sum;
}

void query_times_keys(const workload& w, std::size_t head, std::size_t token, std::span<float> scores) {
  const auto& size = w.size;
  const bf16* q = w.q.data() + (token * size.heads + head) * size.width;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const bf16* k = row_of(w.k, size, j, head / size.group());
    float sum = 0;
    for (std::size_t e = 0; e < size.width; ++e) sum += float{q[e]} * float{k[e]};
    scores[j] = sum / std::sqrt(static_cast<float>(size.width));
  }
}

void weights_times_values(const workload& w, std::size_t head, std::size_t token,
                          std::span<const float> weights, std::span<float> sums) {
  const auto& size = w.size;
  std::ranges::fill(sums, 0.0F);
  for (std::size_t j = 0; j < weights.size(); ++j) {
    const bf16* v = row_of(w.v, size, j, head / size.group());
    for (std::size_t e = 0; e < size.width; ++e) sums[e] += weights[j] * float{v[e]};
  }
  for (std::size_t e = 0; e < size.width; ++e)
    w.o[(token * size.heads + head) * size.width + e] = bf16(sums[e]);
}

// All scores of a head, then their softmax, then the sums.
auto stored_scores(workload& shape, setup& s) {
  const auto tokens = shape.size.tokens;
  return [scores = s.workspace<float>(product(tokens, tokens)), sums = s.workspace<float>(shape.size.width)](
             workload& w, call&) {
    const auto& size = w.size;
    const auto row = [&](std::size_t t) { return scores.subspan(t * size.tokens, size.seen_by(t)); };
    for (std::size_t head = 0; head < size.heads; ++head) {
      for (std::size_t t = 0; t < size.tokens; ++t) query_times_keys(w, head, t, row(t));
      for (std::size_t t = 0; t < size.tokens; ++t) softmax(row(t));
      for (std::size_t t = 0; t < size.tokens; ++t) weights_times_values(w, head, t, row(t), sums);
    }
  };
}

// Keys by blocks of 64, each transposed, and values in fp32, of one key-value head.
class packed_head {
 public:
  packed_head(const extents& size, setup& s)
      : keys_(s.workspace<float>(filled(size) * size.width)),
        values_(s.workspace<float>(filled(size) * size.width)) {}
  void pack(const workload& w, std::size_t kv_head) {
    const auto& size = w.size;
    for (std::size_t j = 0; j < size.tokens; ++j) {
      const bf16 *k = row_of(w.k, size, j, kv_head), *v = row_of(w.v, size, j, kv_head);
      float* block = keys_.data() + j / block_keys * block_keys * size.width + j % block_keys;
      for (std::size_t e = 0; e < size.width; ++e)
        block[e * block_keys] = k[e], values_[j * size.width + e] = v[e];
    }
  }
  [[nodiscard]] const float* keys() const { return keys_.data(); }
  [[nodiscard]] const float* values() const { return values_.data(); }

 private:
  static std::size_t filled(const extents& size) {
    return (size.tokens + block_keys - 1) / block_keys * block_keys;
  }
  std::span<float> keys_, values_;
};

std::size_t tiles_of(const extents& size) { return (size.tokens + tile_rows - 1) / tile_rows; }

void attend(const workload& w, std::size_t head, std::size_t tile, const packed_head& packed) {
  HWY_DYNAMIC_DISPATCH(attend_tile)(w, head, tile * tile_rows, packed.keys(), packed.values());
}

auto tiled(workload& shape, setup& s) {
  return [packed = packed_head(shape.size, s)](workload& w, call&) mutable {
    for (std::size_t head = 0; head < w.size.heads; ++head) {
      if (head % w.size.group() == 0) packed.pack(w, head / w.size.group());
      for (std::size_t tile = 0; tile < tiles_of(w.size); ++tile) attend(w, head, tile, packed);
    }
  };
}

// Tiles of a causal attention grow with their place: thread r of n takes tiles r, r + n, ...
auto all_cores_tiled(workload& shape, setup& s) {
  return [packed = packed_head(shape.size, s)](workload& w, call& c) mutable {
    for (std::size_t kv = 0; kv < w.size.kv_heads; ++kv) {
      packed.pack(w, kv);
      const auto tiles = tiles_of(w.size);
      c.team().run([&](int rank, int ranks) {
        for (auto i = as_count(rank); i < tiles * w.size.group(); i += as_count(ranks))
          attend(w, kv * w.size.group() + i / tiles, i % tiles, packed);
      });
    }
  };
}

}  // namespace

ladder<workload> cpu() {
  return {
      {.name = "stored_scores",
       .is = role::baseline,
       .idea = "all scores of a head are stored, normalized, and multiplied by the values",
       .run = stored_scores,
       .arithmetic = arithmetic::bf16},
      {.name = "tiled",
       .idea = "blocks of 64 keys: scores live in the first-level cache and are normalized as they come",
       .run = tiled,
       .explanation =
           "the baseline's dot products are serial sums, one multiply-add per latency of an addition",
       .arithmetic = arithmetic::bf16},
      {.name = "all_cores",
       .idea = "tiles of queries on all cores",
       .run = all_cores_tiled,
       .explanation = "the baseline's dot products are serial sums on one core",
       .threads = all_cores,
       .arithmetic = arithmetic::bf16},
  };
}

}  // namespace ridge::experiments::ch10_flash_attention_forward
#endif
