// SPDX-License-Identifier: Apache-2.0
#include <ridge/mlp/fused_product.hpp>

// Vectors whose length the compiler does not know cannot be elements of an array.
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fused_product.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::mlp::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using lanes = hn::ScalableTag<float>;
using vector = hn::Vec<lanes>;

// Loads and stores of whole vectors (`whole`), and of last columns that do not fill a vector (`partial`).
struct whole {
  vector load(const float* source) const { return hn::LoadU(lanes(), source); }
  void store(vector v, float* target) const { hn::StoreU(v, lanes(), target); }
};
struct partial {
  hn::Mask<lanes> first;
  vector load(const float* source) const { return hn::MaskedLoad(first, lanes(), source); }
  void store(vector v, float* target) const { hn::BlendedStore(v, first, lanes(), target); }
};

template <followed_by Then, class Access>
void finish(const fused_product& f, vector p, std::size_t i, std::size_t j, const Access& access) {
  const auto ij = i * f.columns + j;
  const lanes d;
  if constexpr (Then == followed_by::relu_bias) {
    access.store(hn::Max(hn::Add(p, access.load(f.beside + j)), hn::Zero(d)), f.c + ij);
  } else if constexpr (Then == followed_by::bias) {
    access.store(hn::Add(p, access.load(f.beside + j)), f.c + ij);
  } else if constexpr (Then == followed_by::masked) {
    access.store(hn::IfThenElseZero(hn::Gt(access.load(f.beside + ij), hn::Zero(d)), p), f.c + ij);
  } else {
    access.store(hn::NegMulAdd(hn::Set(d, f.rate), p, access.load(f.beside + ij)), f.c + ij);
    if (f.gradient != nullptr) access.store(p, f.gradient + ij);
  }
}

template <followed_by Then, std::size_t Rows, std::size_t Vectors, class Access>
void tile(const fused_product& f, std::size_t i, std::size_t j, const Access& access) {
  const lanes d;
  const std::size_t width = hn::Lanes(d);
  vector sum[Rows][Vectors];
  for (auto& row : sum) {
    for (auto& s : row) s = hn::Zero(d);
  }
  const float* a = f.a + i * f.row_step;
  const float* b = f.b + j;
  for (std::size_t k = 0; k < f.depth; ++k, a += f.depth_step, b += f.columns) {
    vector right[Vectors];
    for (std::size_t v = 0; v < Vectors; ++v) right[v] = access.load(b + v * width);
    for (std::size_t r = 0; r < Rows; ++r) {
      const auto left = hn::Set(d, a[r * f.row_step]);
      for (std::size_t v = 0; v < Vectors; ++v) sum[r][v] = hn::MulAdd(left, right[v], sum[r][v]);
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t v = 0; v < Vectors; ++v) finish<Then>(f, sum[r][v], i + r, j + v * width, access);
  }
}

template <followed_by Then, std::size_t Rows>
void row_of_tiles(const fused_product& f, std::size_t i) {
  const lanes d;
  constexpr std::size_t vectors = HWY_MAX_BYTES >= 64 ? 4 : 2;
  const std::size_t width = hn::Lanes(d);
  std::size_t j = 0;
  for (; j + vectors * width <= f.columns; j += vectors * width) tile<Then, Rows, vectors>(f, i, j, whole{});
  for (; j + width <= f.columns; j += width) tile<Then, Rows, 1>(f, i, j, whole{});
  if (j < f.columns) tile<Then, Rows, 1>(f, i, j, partial{hn::FirstN(d, f.columns - j)});
}

template <followed_by Then>
void run(const fused_product& f) {
  std::size_t i = 0;
  for (; i + 4 <= f.rows; i += 4) row_of_tiles<Then, 4>(f, i);
  for (; i < f.rows; ++i) row_of_tiles<Then, 1>(f, i);
}

fused_product_kernel choose(followed_by then) {
  switch (then) {
    case followed_by::relu_bias:
      return run<followed_by::relu_bias>;
    case followed_by::bias:
      return run<followed_by::bias>;
    case followed_by::masked:
      return run<followed_by::masked>;
    case followed_by::descended:
      break;
  }
  return run<followed_by::descended>;
}

}  // namespace
}  // namespace ridge::mlp::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::mlp {

HWY_EXPORT(choose);
fused_product_kernel kernel_of(followed_by then) { return HWY_DYNAMIC_DISPATCH(choose)(then); }

}  // namespace ridge::mlp
#endif
