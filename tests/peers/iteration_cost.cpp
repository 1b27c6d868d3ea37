// SPDX-License-Identifier: Apache-2.0
// Compares what an iteration of an empty benchmark costs in the harness's loop and in Google Benchmark's.
// Exit code 77: skipped.
#include <cstdio>
#include <filesystem>

#include <fmt/format.h>

#include "instruction_count.hpp"

int main() {
  if (!ridge::peers::valgrind_present()) {
    fmt::print("skipped: valgrind is not installed (apt-get install valgrind)\n");
    return 77;
  }
  constexpr std::uint64_t n = 1'000'000;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  fmt::print("instructions per empty iteration, (I(2N) - I(N)) / N, N = {}; callgrind, no AVX-512\n", n);
  for (const char* program : {"peers_empty_ridge", "peers_empty_gbench"}) {
    const auto cost = ridge::peers::instructions_per_iteration((folder / program).string(), n);
    if (!cost) {
      fmt::print(stderr, "{}\n", cost.why().text());
      return 1;
    }
    fmt::print("{:<20} {:.3f}\n", program, *cost);
  }
  return 0;
}
