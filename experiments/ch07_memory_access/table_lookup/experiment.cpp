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

// What looks up a vector of codes: a load for each from the table in memory.
struct in_memory {
  const float* table;
  template <class D, class Indices>
  hn::Vec<D> operator()(D d, Indices indices) const {
    return hn::GatherIndex(d, table, indices);
  }
};

// The same by permuting two vectors that hold a table of 16 entries, or one that holds it all.
struct in_vectors {
  const float* table;
  template <class D, class Indices>
  hn::Vec<D> operator()(D d, Indices indices) const {
    if constexpr (hn::MaxLanes(D()) == 16)
      return hn::TableLookupLanes(hn::LoadU(d, table), hn::IndicesFromVec(d, indices));
    if constexpr (hn::MaxLanes(D()) == 8) {
      const auto seven = hn::Set(hn::RebindToSigned<D>(), 7);
      const auto within = hn::IndicesFromVec(d, hn::And(indices, seven));
      const auto lower = hn::TableLookupLanes(hn::LoadU(d, table), within);
      const auto upper = hn::TableLookupLanes(hn::LoadU(d, table + 8), within);
      return hn::IfThenElse(hn::RebindMask(d, hn::Gt(indices, seven)), upper, lower);
    }
    return hn::GatherIndex(d, table, indices);  // shorter vectors: four of them would not pay
  }
};

// Adds the entries of a vector of rows at a time.
template <class Lookup>
void add_entries(Lookup look_up, const float* table, const std::uint8_t* code, float* sum, std::size_t rows) {
  const hn::ScalableTag<float> d;
  const hn::RebindToSigned<decltype(d)> indices;
  const hn::Rebind<std::uint8_t, decltype(d)> codes;
  const std::size_t lanes = hn::Lanes(d);
  std::size_t i = 0;
  for (; i + lanes <= rows; i += lanes) {
    auto total = hn::Zero(d);
    for (std::size_t j = 0; j < codes_of_row; ++j) {
      total = hn::Add(total, look_up(d, hn::PromoteTo(indices, hn::LoadU(codes, code + j * rows + i))));
    }
    hn::StoreU(total, d, sum + i);
  }
  for (; i < rows; ++i) {
    sum[i] = 0;
    for (std::size_t j = 0; j < codes_of_row; ++j) sum[i] += table[code[j * rows + i]];
  }
}

void gather(const float* table, const std::uint8_t* code, float* sum, std::size_t rows) {
  add_entries(in_memory{table}, table, code, sum, rows);
}

void permute(const float* table, const std::uint8_t* code, float* sum, std::size_t rows) {
  add_entries(in_vectors{table}, table, code, sum, rows);
}

}  // namespace ridge::experiments::ch07_table_lookup::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch07_table_lookup {
HWY_EXPORT(gather);
HWY_EXPORT(permute);
namespace {

float sum_of_entries(const workload& w, std::size_t i) {
  float total = 0;
  for (std::size_t j = 0; j < codes_of_row; ++j) total += w.table[w.code[j * w.sum.size() + i]];
  return total;
}
double expected(const workload& w, std::size_t i) { return sum_of_entries(w, i); }

void by_one(workload& w, call&) {
  for (std::size_t i = 0; i < w.sum.size(); ++i) w.sum[i] = sum_of_entries(w, i);
}

void by_gathers(workload& w, call&) {
  HWY_DYNAMIC_DISPATCH(gather)(w.table.data(), w.code.data(), w.sum.data(), w.sum.size());
}

void in_registers(workload& w, call&) {
  HWY_DYNAMIC_DISPATCH(permute)(w.table.data(), w.code.data(), w.sum.data(), w.sum.size());
}

ladder<workload> large_cpu() {
  return {
      {.name = "memory",
       .is = role::baseline,
       .idea = "a load from the first-level cache for each code",
       .run = by_one},
      {.name = "gather", .idea = "a vector of rows at a time, still a load for each code", .run = by_gathers},
  };
}

ladder<workload> small_cpu() {
  auto all = large_cpu();
  all.push_back(
      {.name = "registers",
       .idea = "the table lies in vectors, which the codes of a vector of rows permute",
       .run = in_registers,
       .explanation =
           "an instruction looks up sixteen codes at once, and the sums of a vector of rows do not wait "
           "for one another"});
  return all;
}

experiment with_entries(std::size_t entries, ladder_of<workload> cpu, ladder_of<workload> cuda) {
  return experiment_of<workload>{
      .id = "ch07.table_lookup",
      .title = "Sums of entries of a table of " + std::to_string(entries) + " entries",
      .question = "Where should a small lookup table live?",
      .answers = {"B6.4"},
      .tags = {"memory", "shared-memory", "registers", "quantization"},
      .axes = {choice("entries", {std::to_string(entries)}),
               on_cuda(values("rows", {1 << 16, 1 << 20}, {0, 1, 3, 4, 15, 16, 17, 1001, 4100}),
                       {1 << 26, 1 << 20})},
      .make =
          [entries](const problem& p, memory& m) {
            const auto rows = p.count("rows");
            return workload{m.in<float>(entries, normal{}),
                            m.in<std::uint8_t>(product(codes_of_row, rows), integers{entries}),
                            m.out<float>(rows)};
          },
      .work =
          [entries](const problem& p) {
            const auto rows = p.count("rows");
            return work::streaming(reads<float>(entries) + reads<std::uint8_t>(codes_of_row, rows),
                                   writes<float>(rows))
                .with_flop(as_real(codes_of_row) * p.real("rows"));
          },
      .oracle = each_element(&workload::sum, expected),
      .element = expected,
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
