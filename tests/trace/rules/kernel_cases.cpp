// SPDX-License-Identifier: Apache-2.0
#include "rule_case.hpp"

namespace ridge::trace::fixtures {
namespace {

std::vector<trace> with_local_memory(std::uint32_t bytes) {
  scene s;
  for (int i = 0; i < 60; ++i)
    s.kernel("gemm_kernel", 1'000'000 + i * 100'000, 100'000, 7,
             {.call_ns = i * 5'000, .call_length_ns = 4'000}, {.local_bytes = bytes, .registers = 255});
  return one(s);
}

// Every sixth run takes `slow`, the others 10 us.
std::vector<trace> uneven(nanoseconds slow) {
  scene s;
  nanoseconds at = 1'000'000;
  for (int i = 0; i < 60; ++i) {
    const auto length = i % 6 ? 10'000 : slow;
    s.kernel("gather_kernel", at, length, 7, {.call_ns = i * 5'000, .call_length_ns = 4'000});
    at += length;
  }
  return one(s);
}

}  // namespace

std::vector<rule_case> kernel_cases() {
  return {
      {.rule = "K11",
       .fires = [] { return with_local_memory(512); },
       .quiet = [] { return with_local_memory(0); }},
      {.rule = "K19", .fires = [] { return uneven(300'000); }, .quiet = [] { return uneven(11'000); }},
  };
}

}  // namespace ridge::trace::fixtures
