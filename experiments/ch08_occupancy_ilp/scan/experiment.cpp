// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include <ridge/cpu/sum.hpp>
#include <ridge/harness/experiment.hpp>
#include <ridge/host/team.hpp>

#include "scan.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "experiment.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace ridge::experiments::ch08_scan::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR
void scan(std::span<const float> terms, float* sums, float before) {
  for (std::size_t i = 0; i < terms.size(); ++i) sums[i] = before += terms[i];
}
#else
using four = hn::FixedTag<float, 4>;

// The sums of four terms from the first on.
HWY_INLINE hn::Vec<four> scan_of_four(const float* terms) {
  const four d;
  auto v = hn::LoadU(d, terms);
  v = hn::Add(v, hn::ShiftLeftLanes<1>(d, v));
  return hn::Add(v, hn::ShiftLeftLanes<2>(d, v));
}

// Scans the terms after what sums to `before`. Of sixteen terms one addition waits for the sixteen before.
void scan(std::span<const float> terms, float* sums, float before) {
  const four d;
  const float* x = terms.data();
  const std::size_t n = terms.size();
  auto carry = hn::Set(d, before);
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16) {
    const auto v0 = scan_of_four(x + i), v1 = scan_of_four(x + i + 4);
    const auto v2 = scan_of_four(x + i + 8), v3 = scan_of_four(x + i + 12);
    const auto before1 = hn::Broadcast<3>(v0);
    const auto before2 = hn::Add(before1, hn::Broadcast<3>(v1));
    const auto before3 = hn::Add(before2, hn::Broadcast<3>(v2));
    hn::StoreU(hn::Add(v0, carry), d, sums + i);
    hn::StoreU(hn::Add(hn::Add(v1, before1), carry), d, sums + i + 4);
    hn::StoreU(hn::Add(hn::Add(v2, before2), carry), d, sums + i + 8);
    hn::StoreU(hn::Add(hn::Add(v3, before3), carry), d, sums + i + 12);
    carry = hn::Add(carry, hn::Add(before3, hn::Broadcast<3>(v3)));
  }
  before = hn::GetLane(carry);
  for (; i < n; ++i) sums[i] = before += x[i];
}
#endif

}  // namespace ridge::experiments::ch08_scan::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace ridge::experiments::ch08_scan {
HWY_EXPORT(scan);
namespace {

void serial(workload& w, call&) {
  float before = 0;
  for (std::size_t i = 0; i < w.terms.size(); ++i) w.sums[i] = before += w.terms[i];
}

void simd(workload& w, call&) { HWY_DYNAMIC_DISPATCH(scan)(w.terms, w.sums.data(), 0); }

// Each core adds up its share; then it knows what the shares before come to, and scans its own.
auto two_passes(workload&, setup& s) {
  constexpr std::size_t line = 16;  // floats: each sum has a cache line of its own
  const auto count = as_count(s.threads());
  return [of_shares = s.workspace<float>(line * count), count](workload& w, call& c) {
    auto& team = c.team();
    team.run([&](int rank, int) {
      const auto r = as_count(rank), n = w.terms.size(), begin = n * r / count, end = n * (r + 1) / count;
      const auto share = w.terms.subspan(begin, end - begin);
      of_shares[line * r] = ridge::cpu::sum_by_4_vectors(share);
      team.barrier();
      float before = 0;
      for (std::size_t q = 0; q < r; ++q) before += of_shares[line * q];
      HWY_DYNAMIC_DISPATCH(scan)(share, w.sums.data() + begin, before);
    });
  };
}

ladder<workload> cpu() {
  return {
      {.name = "serial", .is = role::baseline, .idea = "each sum waits for the one before", .run = serial},
      {.name = "simd",
       .idea = "sixteen terms are scanned in registers; one addition of sixteen waits for the one before",
       .run = simd},
      {.name = "all_cores",
       .idea = "each core adds up its share, then scans it: the terms are read twice",
       .run = two_passes,
       .threads = all_cores},
  };
}

// Partial sums of n normal terms stay below 6 sqrt(n), and no order of a GPU rounds more than some 300 of
// them on the way to a result (a tile's 50, 128 of a group, groups): with 2^28 terms below 1.8.
tolerance rounding_of(const problem& p) {
  const auto serial_order = accumulation(p.real("elements"), 0x1p-24);
  return {.abs = std::min(serial_order.abs, 2.0), .rel = serial_order.rel};
}

}  // namespace

experiment make() {
  return experiment_of<workload>{
      .id = "ch08.scan",
      .title = "Inclusive scan of a long array",
      .question = "Can one pass scan faster than CUB's?",
      .answers = {"B8.5"},
      .tags = {"memory", "look-back", "warp-specialization"},
      .axes = {on_cuda(values("elements", {1 << 22, 1 << 24},
                              {0, 1, 3, 15, 16, 17, 127, 12287, 12288, 12289, 16385, 300001, 4194307}),
                       {1 << 28})},
      .make =
          [](const problem& p, memory& m) {
            const auto n = p.count("elements");
            return workload{m.in<float>(n, normal{}), m.out<float>(n)};
          },
      .work =
          [](const problem& p) {
            const auto n = p.count("elements");
            return work::streaming(reads<float>(n), writes<float>(n)).with_flop(p.real("elements"));
          },
      .oracle =
          [](workload& w) {
            double before = 0;
            for (std::size_t i = 0; i < w.terms.size(); ++i) w.sums[i] = as_float(before += w.terms[i]);
          },
      .within = rounding_of,
      .cpu = cpu,
      .cuda = cuda,
  };
}

}  // namespace ridge::experiments::ch08_scan
#endif
