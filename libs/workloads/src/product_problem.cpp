// SPDX-License-Identifier: Apache-2.0
#include <ridge/workloads/product_problem.hpp>

#include <charconv>

#include <ridge/base/expects.hpp>
#include <ridge/harness/memory.hpp>
#include <ridge/harness/work.hpp>

namespace ridge::workloads {

product_extents extents_of(std::string_view text) {
  product_extents extents;
  const auto* at = text.data();
  const auto* const end = at + text.size();
  bool stated = true;
  for (auto* extent : {&extents.m, &extents.n, &extents.k}) {
    if (extent != &extents.m) stated = stated && at != end && *at++ == 'x';
    const auto parsed = std::from_chars(at, end, *extent);
    stated = stated && parsed.ec == std::errc();
    at = parsed.ptr;
  }
  expects(stated && at == end, "extents_of: the text is like \"1408x4224x8192\"");
  return extents;
}

template <class T>
product_of<T> without_arrays(const product_extents& extents, std::size_t multiple) {
  return {.m = as_integer(extents.m),
          .n = as_integer(extents.n),
          .k = as_integer(extents.k),
          .pitch = as_integer(pitch_of(extents.k, multiple))};
}

template <class T>
product_of<T> make_product(const product_extents& extents, memory& arrays, std::size_t multiple) {
  auto made = without_arrays<T>(extents, multiple);
  const auto pitch = as_count(made.pitch);
  made.a = arrays.in<T>(product(extents.m, pitch), normal{});
  made.b = arrays.in<T>(product(extents.n, pitch), normal{});
  made.c = arrays.out<T>(product(extents.m, extents.n));
  return made;
}

template <class T>
work work_of(const product_extents& extents, std::size_t multiple) {
  const auto [m, n, k] = extents;
  return work::streaming(reads<T>(m + n, pitch_of(k, multiple)), writes<T>(m, n))
      .with_flop(2 * as_real(m) * as_real(n) * as_real(k));
}

template <class T>
double exact_element(const product_of<T>& product, std::size_t index) {
  const auto n = as_count(product.n), k = as_count(product.k), pitch = as_count(product.pitch);
  const auto a = product.a.subspan(index / n * pitch, k), b = product.b.subspan(index % n * pitch, k);
  double sum = 0;
  for (std::size_t p = 0; p < k; ++p) sum += double{float{a[p]}} * double{float{b[p]}};
  return sum;
}

tolerance rounded_sums(std::size_t terms) {
  auto allowed = accumulation(as_real(terms), 0x1p-24);
  allowed.rel += 0x1p-7;
  return allowed;
}

template bf16_product without_arrays(const product_extents&, std::size_t);
template fp32_product without_arrays(const product_extents&, std::size_t);
template bf16_product make_product(const product_extents&, memory&, std::size_t);
template fp32_product make_product(const product_extents&, memory&, std::size_t);
template work work_of<bf16>(const product_extents&, std::size_t);
template work work_of<float>(const product_extents&, std::size_t);
template double exact_element(const bf16_product&, std::size_t);
template double exact_element(const fp32_product&, std::size_t);

}  // namespace ridge::workloads
