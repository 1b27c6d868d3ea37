// SPDX-License-Identifier: Apache-2.0
#include "rule_case.hpp"

namespace ridge::trace::fixtures {
namespace {

// 60 kernels of 100 us on stream 7 and before each a copy of 50 us, on the same stream or (beside) another.
std::vector<trace> copying(copy_kind kind, std::int64_t bytes, memory_kind source, bool beside = false,
                           memory_kind destination = memory_kind::device) {
  scene s;
  s.device(ridge_one_facts());
  for (int i = 0; i < 60; ++i) {
    const nanoseconds at = 1'000'000 + i * 150'000;
    s.copy(kind, bytes, at, 50'000, beside ? 8 : 7, {.call_ns = i * 10'000, .call_length_ns = 4'000},
           {.source = source, .destination = destination});
    s.kernel("gemm_kernel", beside ? at : at + 50'000, beside ? 150'000 : 100'000, 7,
             {.call_ns = i * 10'000 + 5'000, .call_length_ns = 4'000});
  }
  return one(s);
}

// Five steps, each with `copies` copies of `bytes` to the device of 5 us and a kernel of 1 ms.
std::vector<trace> feeding(int copies, std::int64_t bytes) {
  scene s;
  return one(steps(s, std::vector<made_step>(5, {.host = 400'000, .length = 1'000'000}),
                   [&](scene& target, std::size_t, nanoseconds start) {
                     for (int c = 0; c < copies; ++c)
                       target.copy(copy_kind::host_to_device, bytes, start + 10'000 + c * 12'000, 5'000, 7,
                                   {.call_ns = start + 3'000 + c * 12'000, .call_length_ns = 4'000});
                   }));
}

diagnose_options knowing_the_link() {
  diagnose_options options;
  options.devices = {ridge_one()};
  return options;
}

}  // namespace

std::vector<rule_case> copy_cases() {
  constexpr auto in = copy_kind::host_to_device, within = copy_kind::device_to_device;
  return {
      {.rule = "C1",
       .fires = [] { return copying(in, 1 << 20, memory_kind::pageable); },
       .quiet = [] { return copying(in, 1 << 20, memory_kind::pinned); }},
      {.rule = "C2",
       .fires = [] { return copying(in, 1 << 20, memory_kind::pinned); },
       .quiet = [] { return copying(in, 1 << 20, memory_kind::pinned, true); }},
      {.rule = "C3", .fires = [] { return feeding(20, 1'000); }, .quiet = [] { return feeding(2, 1'000); }},
      {.rule = "C4",
       .fires = [] { return copying(in, 1 << 20, memory_kind::pinned); },  // 21 of 50 GB/s
       .quiet = [] { return copying(in, 2 << 20, memory_kind::pinned); },  // 42 GB/s
       .options = knowing_the_link()},
      {.rule = "C5",
       .fires = [] { return copying(within, 1 << 20, memory_kind::device); },
       .quiet = [] { return copying(in, 1 << 20, memory_kind::pinned); }},
  };
}

}  // namespace ridge::trace::fixtures
