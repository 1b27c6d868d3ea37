// SPDX-License-Identifier: Apache-2.0
// An empty benchmark of argv[1] iterations in Google Benchmark's loop, for counting its instructions.
#include <cstdlib>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

namespace {

class silent final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

void empty(benchmark::State& state) {
  for ([[maybe_unused]] auto _ : state) benchmark::ClobberMemory();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 64;
  benchmark::RegisterBenchmark("empty", empty)->Iterations(std::atoll(argv[1]));
  silent reporter;
  return benchmark::RunSpecifiedBenchmarks(&reporter, std::string(".")) == 1 ? 0 : 1;
}
