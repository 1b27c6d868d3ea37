// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include <ridge/cpu/dot_tiles.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/vendor/onednn.hpp>

#include "precision_ladder.hpp"

namespace ridge::experiments::ch01_precision_ladder {
namespace {

constexpr std::int32_t activation_zero = 128;
// Eight standard deviations of a sum of 1,024 products of normal numbers, whose operands carry a rounding
// error of 2^-9 of their size, or of half a step of 1/127 of the largest of a row (3.7 sigma).
constexpr tolerance bf16_tolerance{.abs = 0.5};
constexpr tolerance int8_tolerance{.abs = 3.5};

void fp32(workload& w, call&) { cpu::dot_tiles_fp32(w.m, w.n, w.k, w.a.data(), w.b.data(), w.c.data()); }

// Each variant converts to arrays of its own, made before and filled by its stage.
bf16_operands make_bf16(const workload& w, setup& s) {
  return {s.workspace<std::uint16_t>(w.a.size()), s.workspace<std::uint16_t>(w.b.size())};
}

template <bf16_operands workload::*Where>
void stage_bf16(workload& w, setup&) {
  to_bf16(w.a, (w.*Where).a);
  to_bf16(w.b, (w.*Where).b);
}

auto bf16_dot(workload& shape, setup& s) {
  shape.own_bf16 = make_bf16(shape, s);
  return [](workload& w, call&) {
    cpu::dot_tiles_bf16(w.m, w.n, w.k, w.own_bf16.a.data(), w.own_bf16.b.data(), w.c.data());
  };
}

template <class Byte>
quantized<Byte> make_quantized(setup& s, std::int64_t rows, std::int64_t row_length) {
  const auto count = as_count(rows);
  return {s.workspace<Byte>(as_count(rows * row_length)), s.workspace<float>(count),
          s.workspace<std::int32_t>(count)};
}

int8_operands make_int8(const workload& w, setup& s) {
  return {make_quantized<std::uint8_t>(s, w.m, w.k), make_quantized<std::int8_t>(s, w.n, w.k)};
}

template <int8_operands workload::*Where>
void stage_int8(workload& w, setup&) {
  quantize(w.a, w.k, (w.*Where).a);
  quantize(w.b, w.k, (w.*Where).b);
}

auto int8_vnni(workload& shape, setup& s) {
  shape.own_int8 = make_int8(shape, s);
  return [sums = s.workspace<std::int32_t>(shape.c.size())](workload& w, call&) {
    cpu::dot_tiles_int8(w.m, w.n, w.k, w.own_int8.a.bytes.data(), w.own_int8.b.bytes.data(), sums.data());
    dequantize(w.own_int8, sums, activation_zero, w.c);
  };
}

bool empty(const workload& w) { return w.m == 0 || w.n == 0; }

void onednn_fp32(workload& w, call&) {
  if (empty(w)) return;
  dnnl_sgemm('N', 'T', w.m, w.n, w.k, 1, w.a.data(), w.k, w.b.data(), w.k, 0, w.c.data(), w.n);
}

auto onednn_bf16(workload& shape, setup& s) {
  shape.vendors_bf16 = make_bf16(shape, s);
  return [](workload& w, call&) {
    if (empty(w)) return;
    dnnl_gemm_bf16bf16f32('N', 'T', w.m, w.n, w.k, 1, w.vendors_bf16.a.data(), w.k, w.vendors_bf16.b.data(),
                          w.k, 0, w.c.data(), w.n);
  };
}

auto onednn_int8(workload& shape, setup& s) {
  shape.vendors_int8 = make_int8(shape, s);
  return [sums = s.workspace<std::int32_t>(shape.c.size())](workload& w, call&) {
    if (empty(w)) return;
    const std::int32_t none = 0;
    dnnl_gemm_u8s8s32('N', 'T', 'F', w.m, w.n, w.k, 1, w.vendors_int8.a.bytes.data(), w.k, activation_zero,
                      w.vendors_int8.b.bytes.data(), w.k, 0, 0, sums.data(), w.n, &none);
    dequantize(w.vendors_int8, sums, 0, w.c);
  };
}

std::function<double(const problem&)> operand_bytes(double each) {
  return [each](const problem& p) {
    const double rows = p.real("rows"), size = p.real("size");
    return each * (rows + size) * size + 4 * rows * size;
  };
}

}  // namespace

// Why the conversion of the operands is not counted.
constexpr auto operands_stay = "weights and activations are kept in this type between layers";

ladder<workload> cpu() {
  return {
      {.name = "fp32", .is = role::baseline, .idea = "16 products an instruction, 4 bytes each", .run = fp32},
      {.name = "bf16",
       .idea = "32 products an instruction, 2 bytes each, sums in fp32",
       .run = bf16_dot,
       .needs = {.isa = {"avx512_bf16"}},
       .stage = stage_bf16<&workload::own_bf16>,
       .stage_reason = operands_stay,
       .traffic = operand_bytes(2),
       .within = bf16_tolerance,
       .arithmetic = arithmetic::bf16},
      {.name = "int8",
       .idea = "64 products an instruction, 1 byte each, sums in int32, a scale a row",
       .run = int8_vnni,
       .needs = {.isa = {"avx512_vnni"}},
       .stage = stage_int8<&workload::own_int8>,
       .stage_reason = operands_stay,
       .traffic = operand_bytes(1),
       .within = int8_tolerance,
       .arithmetic = arithmetic::int8},
      {.name = "onednn_fp32",
       .is = role::comparator,
       .idea = "the vendor's, one thread",
       .run = onednn_fp32,
       .needs = {.library = "onednn"}},
      {.name = "onednn_bf16",
       .is = role::comparator,
       .idea = "the vendor's, with what the CPU has for bf16",
       .run = onednn_bf16,
       .needs = {.isa = {"avx512_bf16"}, .library = "onednn"},
       .stage = stage_bf16<&workload::vendors_bf16>,
       .stage_reason = operands_stay,
       .traffic = operand_bytes(2),
       .within = bf16_tolerance,
       .arithmetic = arithmetic::bf16},
      {.name = "onednn_int8",
       .is = role::comparator,
       .idea = "the vendor's, with what the CPU has for int8",
       .run = onednn_int8,
       .needs = {.isa = {"avx512_vnni"}, .library = "onednn"},
       .stage = stage_int8<&workload::vendors_int8>,
       .stage_reason = operands_stay,
       .traffic = operand_bytes(1),
       .within = int8_tolerance,
       .arithmetic = arithmetic::int8},
  };
}

}  // namespace ridge::experiments::ch01_precision_ladder
