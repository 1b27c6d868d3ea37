// SPDX-License-Identifier: Apache-2.0
#include "rule_case.hpp"

namespace ridge::trace::fixtures {
namespace {

std::vector<trace> with_gaps(nanoseconds gap) {
  scene s;
  return one(busy(s, 60, 100'000, gap));
}

// An operator of `host` launches each kernel of `length`, which the host does not wait for.
std::vector<trace> eager(nanoseconds host, nanoseconds length) {
  scene s;
  nanoseconds at = 0, free = 0;
  for (int i = 0; i < 60; ++i) {
    s.op("aten::add", at, host);
    const auto call = at + host - 6'000;
    const auto start = std::max(free, call + 8'000);
    s.kernel("elementwise_kernel", start, length, 7, {.call_ns = call, .call_length_ns = 5'000});
    free = start + length;
    at += host;
  }
  return one(s);
}

// 60 rounds: the host does something called `name` for `host`, then launches a kernel of 300 us and waits.
std::vector<trace> rounds_of(category kind, std::string_view name, nanoseconds host) {
  scene s;
  nanoseconds at = 0;
  for (int i = 0; i < 60; ++i) {
    s.event(kind, name, at, host);
    s.kernel("gemm_kernel", at + host + 6'000, 300'000, 7, {.call_ns = at + host, .call_length_ns = 5'000});
    at += host + 306'000;
  }
  return one(s);
}

// The host waits for every kernel of 2 ms and then prepares the next for `host`; or it does not wait.
std::vector<trace> waiting_each_time(nanoseconds host, bool waits) {
  scene s;
  nanoseconds at = 0;
  for (int i = 0; i < 60; ++i) {
    const auto done = at + 6'000 + 2'000'000;
    s.kernel("gemm_kernel", at + 6'000, 2'000'000, 7, {.call_ns = at, .call_length_ns = 5'000});
    if (waits) s.api("cudaStreamSynchronize", at + 6'000, done - at - 5'000);
    s.op("aten::item", done + 1'100, host);
    at = done + 1'200 + host;
  }
  return one(s);
}

// Ten steps of five kernels each; after every step the host saves for `pause`.
std::vector<trace> pausing(nanoseconds pause) {
  scene s;
  nanoseconds at = 0;
  for (int i = 0; i < 10; ++i) {
    const auto start = at;
    for (int k = 0; k < 5; ++k) {
      s.kernel("gemm_kernel", at + 6'000, 1'000'000, 7, {.call_ns = at, .call_length_ns = 5'000});
      at += 1'010'000;
    }
    s.python("train.py(12): save_checkpoint", at, pause);
    at += pause;
    s.annotation("ProfilerStep#" + std::to_string(i), start, at - start);
  }
  return one(s);
}

std::vector<trace> launched_ahead(int kernels) {
  scene s;
  for (int i = 0; i < kernels; ++i)
    s.kernel("gemm_kernel", 10'000'000 + i * 10'000, 10'000, 7,
             {.call_ns = i * 3'000, .call_length_ns = 2'000});
  return one(s);
}

}  // namespace

std::vector<rule_case> idle_cases() {
  return {
      {.rule = "I1", .fires = [] { return with_gaps(50'000); }, .quiet = [] { return with_gaps(1'000); }},
      {.rule = "I2",
       .fires = [] { return eager(40'000, 10'000); },
       .quiet = [] { return eager(40'000, 200'000); }},
      {.rule = "I3",
       .fires = [] { return rounds_of(category::annotation, "enumerate(DataLoader)#next", 200'000); },
       .quiet = [] { return rounds_of(category::annotation, "enumerate(DataLoader)#next", 5'000); }},
      {.rule = "I4",
       .fires = [] { return waiting_each_time(300'000, true); },
       .quiet = [] { return waiting_each_time(300'000, false); }},
      {.rule = "I5",
       .fires = [] { return rounds_of(category::api, "cudaMalloc", 50'000); },
       .quiet = [] { return rounds_of(category::op, "aten::add", 50'000); }},
      {.rule = "I6",
       .fires = [] { return rounds_of(category::api, "cuModuleLoadData", 50'000); },
       .quiet = [] { return rounds_of(category::op, "aten::add", 50'000); }},
      {.rule = "I7", .fires = [] { return pausing(2'000'000); }, .quiet = [] { return pausing(10'000); }},
      {.rule = "I8", .fires = [] { return with_gaps(8'000); }, .quiet = [] { return with_gaps(1'000); }},
      {.rule = "I9",
       .fires = [] { return launched_ahead(2'000); },
       .quiet = [] { return launched_ahead(500); }},
  };
}

}  // namespace ridge::trace::fixtures
