// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string>
#include <vector>

#include <ridge/harness/experiment.hpp>

#include "table_lookup.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch07_table_lookup::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Looks up a vector of codes at a time, each lane by an address of its own.
void gather(const float* table, const std::uint8_t* code, float* value, std::size_t n) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> indices;
  const hn::Rebind<std::uint8_t, decltype(d)> codes;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    hn::StoreU(hn::GatherIndex(d, table, hn::PromoteTo(indices, hn::LoadU(codes, code + i))), d, value + i);
  }
  for (; i < n; ++i) value[i] = table[code[i]];
}

#if HWY_TARGET == HWY_SCALAR
// Without vectors there is nothing to permute.
void permute(const float* table, const std::uint8_t* code, float* value, std::size_t n) {
  gather(table, code, value, n);
}
#else
// Byte b of each of 16 entries, as a table of bytes in one vector.
template <class D>
hn::Vec<D> byte_of_entries(D bytes, const float* table, std::size_t b) {
  HWY_ALIGN std::uint8_t plane[16];
  for (std::size_t e = 0; e < 16; ++e) plane[e] = reinterpret_cast<const std::uint8_t*>(table + e)[b];
  return hn::Load(bytes, plane);
}

// Looks up 16 codes at a time in a table of 16 entries that lies in four vectors, one for each byte of a
// float.
void permute(const float* table, const std::uint8_t* code, float* value, std::size_t n) {
  const hn::FixedTag<std::uint8_t, 16> bytes;
  const hn::FixedTag<std::uint16_t, 8> halves;
  const hn::FixedTag<float, 4> d;
  const auto t0 = byte_of_entries(bytes, table, 0), t1 = byte_of_entries(bytes, table, 1);
  const auto t2 = byte_of_entries(bytes, table, 2), t3 = byte_of_entries(bytes, table, 3);
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const auto c = hn::LoadU(bytes, code + i);
    const auto b0 = hn::TableLookupBytes(t0, c), b1 = hn::TableLookupBytes(t1, c);
    const auto b2 = hn::TableLookupBytes(t2, c), b3 = hn::TableLookupBytes(t3, c);
    const auto low0 = hn::BitCast(halves, hn::InterleaveLower(bytes, b0, b1));
    const auto low1 = hn::BitCast(halves, hn::InterleaveUpper(bytes, b0, b1));
    const auto high0 = hn::BitCast(halves, hn::InterleaveLower(bytes, b2, b3));
    const auto high1 = hn::BitCast(halves, hn::InterleaveUpper(bytes, b2, b3));
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(halves, low0, high0)), d, value + i);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(halves, low0, high0)), d, value + i + 4);
    hn::StoreU(hn::BitCast(d, hn::InterleaveLower(halves, low1, high1)), d, value + i + 8);
    hn::StoreU(hn::BitCast(d, hn::InterleaveUpper(halves, low1, high1)), d, value + i + 12);
  }
  for (; i < n; ++i) value[i] = table[code[i]];
}
#endif

}  // namespace ridge::experiments::ch07_table_lookup::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch07_table_lookup {
HWY_EXPORT(gather);
HWY_EXPORT(permute);
namespace {

void by_one(workload& w, call&) {
  for (std::size_t i = 0; i < w.code.size(); ++i) w.value[i] = w.table[w.code[i]];
}

void by_gathers(workload& w, call&) {
  HWY_DYNAMIC_DISPATCH(gather)(w.table.data(), w.code.data(), w.value.data(), w.code.size());
}

void in_registers(workload& w, call&) {
  HWY_DYNAMIC_DISPATCH(permute)(w.table.data(), w.code.data(), w.value.data(), w.code.size());
}

ladder<workload> large_cpu() {
  return {
      {.name = "memory",
       .is = role::baseline,
       .idea = "a load from the first-level cache for each code",
       .run = by_one},
      {.name = "gather",
       .idea = "a vector of codes an instruction, still a load for each",
       .run = by_gathers},
  };
}

ladder<workload> small_cpu() {
  auto all = large_cpu();
  all.push_back({.name = "registers",
                 .idea = "the table lies in vectors, and 16 codes permute its bytes at once",
                 .run = in_registers});
  return all;
}

experiment with_entries(std::size_t entries, ladder_of<workload> cpu, ladder_of<workload> cuda) {
  return experiment_of<workload>{
      .id = "ch07.table_lookup",
      .title = "Codes of a table of " + std::to_string(entries) + " entries",
      .question = "Where should a small lookup table live?",
      .answers = {"B6.4"},
      .tags = {"memory", "shared-memory", "registers", "quantization"},
      .axes = {choice("entries", {std::to_string(entries)}),
               on_cuda(values("codes", {1 << 23, 1 << 14}, {0, 1, 3, 4, 15, 16, 17, 1001, 100003}),
                       {1 << 28, 1 << 22})},
      .make =
          [entries](const problem& p, memory& m) {
            const auto n = p.count("codes");
            return workload{m.in<float>(entries, normal{}), m.in<std::uint8_t>(n, integers{entries}),
                            m.out<float>(n)};
          },
      .work =
          [entries](const problem& p) {
            const auto n = p.count("codes");
            return work::streaming(reads<float>(entries) + reads<std::uint8_t>(n), writes<float>(n));
          },
      .oracle =
          [](workload& w) {
            for (std::size_t i = 0; i < w.code.size(); ++i) w.value[i] = w.table[w.code[i]];
          },
      .within = exact(),
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace

std::vector<experiment> make() {
  return {with_entries(16, small_cpu, small_cuda), with_entries(256, large_cpu, large_cuda)};
}

}  // namespace ridge::experiments::ch07_table_lookup
#endif
