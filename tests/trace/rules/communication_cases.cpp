// SPDX-License-Identifier: Apache-2.0
#include "rule_case.hpp"

namespace ridge::trace::fixtures {
namespace {

constexpr std::string_view all_reduce = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgs)";

// 60 rounds of a kernel of 100 us on stream 7 and communication of 60 us on stream 20, beside it or after it.
std::vector<trace> exchanging(bool beside, std::string_view name = all_reduce) {
  scene s;
  for (int i = 0; i < 60; ++i) {
    const nanoseconds at = 1'000'000 + i * 160'000;
    s.kernel("gemm_kernel", at, beside ? 160'000 : 100'000, 7,
             {.call_ns = i * 10'000, .call_length_ns = 4'000});
    s.kernel(name, beside ? at + 10'000 : at + 100'000, 60'000, 20,
             {.call_ns = i * 10'000 + 5'000, .call_length_ns = 4'000});
  }
  return one(s);
}

std::uint32_t told(scene& s, std::int64_t elements, std::int64_t sequence) {
  return s.builder().add(collective{.in_elements = elements,
                                    .out_elements = elements,
                                    .sequence = sequence,
                                    .operation = s.name("allreduce"),
                                    .dtype = s.name("BFloat16"),
                                    .group = s.name("0"),
                                    .group_size = 2});
}

// One of two ranks that meet in 60 collectives: each computes for `compute` of 200 us, the collective lasts
// from then to 10 us after the slower one has come.
trace rank_of(int rank, nanoseconds compute, std::int64_t elements) {
  scene s;
  s.device(ridge_one_facts());
  s.builder().facts().source.rank = rank;
  s.builder().facts().source.world_size = 2;
  for (int i = 0; i < 60; ++i) {
    const nanoseconds at = 1'000'000 + i * 300'000;
    s.kernel("gemm_kernel", at, compute, 7, {.call_ns = i * 10'000, .call_length_ns = 4'000});
    s.kernel(all_reduce, at + compute, 210'000 - compute, 20,
             {.call_ns = i * 10'000 + 5'000, .call_length_ns = 4'000}, {.collective = told(s, elements, i)});
  }
  return s.build();
}

std::vector<trace> two_ranks(nanoseconds first, nanoseconds second, std::int64_t elements = 1 << 20) {
  std::vector<trace> traces;
  traces.push_back(rank_of(0, first, elements));
  traces.push_back(rank_of(1, second, elements));
  return traces;
}

std::vector<trace> one_rank(std::int64_t elements) {
  std::vector<trace> traces;
  traces.push_back(rank_of(0, 150'000, elements));
  return traces;
}

// The same kernel 30 times beside communication and 30 times alone.
std::vector<trace> beside_and_alone(nanoseconds beside) {
  scene s;
  nanoseconds at = 1'000'000;
  for (int i = 0; i < 60; ++i) {
    const auto length = i % 2 ? 100'000 : beside;
    s.kernel("gemm_kernel", at, length, 7, {.call_ns = i * 10'000, .call_length_ns = 4'000});
    if (i % 2 == 0)
      s.kernel(all_reduce, at, length, 20, {.call_ns = i * 10'000 + 5'000, .call_length_ns = 4'000});
    at += length;
  }
  return one(s);
}

diagnose_options knowing_the_bus() {
  diagnose_options options;
  options.devices = {ridge_one()};
  return options;
}

}  // namespace

std::vector<rule_case> communication_cases() {
  return {
      {.rule = "N1", .fires = [] { return exchanging(false); }, .quiet = [] { return exchanging(true); }},
      {.rule = "N2", .fires = [] { return exchanging(false); }, .quiet = [] { return exchanging(true); }},
      {.rule = "N3",
       .fires = [] { return two_ranks(50'000, 200'000); },
       .quiet = [] { return two_ranks(150'000, 150'000); }},
      // 2 MiB in 60 us: 35 GB/s of 100, and 8 MiB: 140.
      {.rule = "N4",
       .fires = [] { return two_ranks(150'000, 150'000); },
       .quiet = [] { return two_ranks(150'000, 150'000, 4 << 20); },
       .options = knowing_the_bus()},
      {.rule = "N5", .fires = [] { return one_rank(1'000); }, .quiet = [] { return one_rank(1 << 20); }},
      {.rule = "N6",
       .fires = [] { return beside_and_alone(150'000); },
       .quiet = [] { return beside_and_alone(100'000); }},
      {.rule = "N7",
       .fires = [] { return exchanging(false, "my_all_to_all_kernel"); },
       .quiet = [] { return exchanging(false); }},
  };
}

}  // namespace ridge::trace::fixtures
