// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "operators/op_families.hpp"

namespace ridge::trace {
namespace {

// The positions and layouts of the operands.
enum class form : std::uint8_t { product, weights_by_row, batched, vector, broadcast_product, grouped };
struct gemm_op {
  std::string_view name;
  form shape;
  std::size_t a;
  std::size_t b;
};
constexpr std::array gemm_ops{
    gemm_op{"mm", form::product, 0, 1},          gemm_op{"_int_mm", form::product, 0, 1},
    gemm_op{"addmm", form::product, 1, 2},       gemm_op{"addmm_", form::product, 1, 2},
    gemm_op{"_scaled_mm", form::product, 0, 1},  gemm_op{"_addmm_activation", form::product, 1, 2},
    gemm_op{"bmm", form::batched, 0, 1},         gemm_op{"baddbmm", form::batched, 1, 2},
    gemm_op{"baddbmm_", form::batched, 1, 2},    gemm_op{"linear", form::weights_by_row, 0, 1},
    gemm_op{"mv", form::vector, 0, 1},           gemm_op{"addmv", form::vector, 1, 2},
    gemm_op{"addmv_", form::vector, 1, 2},       gemm_op{"matmul", form::broadcast_product, 0, 1},
    gemm_op{"_grouped_mm", form::grouped, 0, 1}, gemm_op{"_scaled_grouped_mm", form::grouped, 0, 1}};

std::int64_t product_of_dims(const dims& d, std::size_t first, std::size_t last) {
  std::int64_t n = 1;
  for (auto i = first; i < last; ++i) n = saturated_product({n, d[i]});
  return n;
}

std::optional<gemm_shape> grouped(const dims& a, const dims& b) {
  if (a.size() == 2 && b.size() == 3) return gemm_shape{1, a[0], b[2], a[1], b[0]};
  if (a.size() == 3 && b.size() == 3) return gemm_shape{a[0], a[1], b[2], a[2]};
  return std::nullopt;  // groups along k: their number is in the values of a tensor, which traces do not hold
}

std::optional<gemm_shape> broadcast_product(const dims& a, const dims& b) {
  if (a.empty() || b.empty()) return std::nullopt;
  const auto k = a.back();
  const auto m = a.size() > 1 ? a[a.size() - 2] : 1;
  const auto n = b.size() > 1 ? b.back() : 1;
  // Many left matrices times one right matrix are one product of all their rows.
  if (b.size() <= 2 && a.size() > 2) return gemm_shape{1, product_of_dims(a, 0, a.size() - 1), n, k};
  const dims left(a.begin(), a.end() - std::min<std::ptrdiff_t>(2, std::ssize(a)));
  const dims right(b.begin(), b.end() - std::min<std::ptrdiff_t>(2, std::ssize(b)));
  const auto both = broadcast(left, right);
  return gemm_shape{product_of_dims(both, 0, both.size()), m, n, k};
}

std::optional<gemm_shape> gemm_shape_of(form layout, const dims& a, const dims& b) {
  switch (layout) {
    case form::product:
      if (a.size() == 2 && b.size() == 2 && a[1] == b[0]) return gemm_shape{1, a[0], b[1], a[1]};
      return std::nullopt;
    case form::batched:
      if (a.size() == 3 && b.size() == 3) return gemm_shape{a[0], a[1], b[2], a[2]};
      return std::nullopt;
    case form::vector:
      if (a.size() == 2 && b.size() == 1) return gemm_shape{1, a[0], 1, a[1]};
      return std::nullopt;
    case form::weights_by_row:
      if (b.size() != 2 || a.empty() || a.back() != b[1]) return std::nullopt;
      return gemm_shape{1, product_of_dims(a, 0, a.size() - 1), b[0], b[1]};
    case form::grouped:
      return grouped(a, b);
    case form::broadcast_product:
      return broadcast_product(a, b);
  }
  return std::nullopt;
}

// Quantised products of 8 bits and less write 16-bit results by default.
double result_bytes(number_type t) {
  if (t == number_type::fp8 || t == number_type::fp4) return 2;
  return t == number_type::i8 ? 4 : bytes_of(t);
}

std::optional<op_model> model(const gemm_shape& s, const op_inputs& inputs, std::size_t a) {
  const auto type = inputs.at(a).type;
  const auto groups = static_cast<double>(s.batch);
  const auto m = static_cast<double>(s.m), n = static_cast<double>(s.n), k = static_cast<double>(s.k);
  if (bytes_of(type) == 0) return std::nullopt;
  return op_model{.family = op_family::gemm,
                  .flops = 2 * groups * m * n * k,
                  .bytes = inputs.bytes() + groups * m * n * result_bytes(type),
                  .written = groups * m * n * result_bytes(type),
                  .type = type,
                  .matrix = true,
                  .gemm = s};
}

// A product of a library whose signature is not known here: [m, k] with [n, k] or [k, n].
std::optional<op_model> unknown_signature(std::string_view name, const op_inputs& inputs) {
  if (name.find("gemm") == std::string_view::npos || name.find("moe") != std::string_view::npos)
    return std::nullopt;
  if (!inputs.has_tensor(0, 2) || !inputs.has_tensor(1, 2)) return std::nullopt;
  auto shape = gemm_shape_of(form::weights_by_row, inputs.dims_of(0), inputs.dims_of(1));
  if (!shape) shape = gemm_shape_of(form::product, inputs.dims_of(0), inputs.dims_of(1));
  return shape ? model(*shape, inputs, 0) : std::nullopt;
}

}  // namespace

std::optional<op_model> gemm_model(std::string_view name, const op_inputs& inputs) {
  const auto at = std::ranges::find(gemm_ops, name, &gemm_op::name);
  if (at == gemm_ops.end()) return unknown_signature(name, inputs);
  if (!inputs.has_tensor(at->a) || !inputs.has_tensor(at->b)) return std::nullopt;
  const auto shape = gemm_shape_of(at->shape, inputs.dims_of(at->a), inputs.dims_of(at->b));
  return shape ? model(*shape, inputs, at->a) : std::nullopt;
}

}  // namespace ridge::trace
