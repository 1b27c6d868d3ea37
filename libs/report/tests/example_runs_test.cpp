// SPDX-License-Identifier: Apache-2.0
#include "example_runs.hpp"

#include <cmath>

#include <fmt/format.h>

namespace ridge::report::tests {
namespace {

using namespace model;

const double unknown = std::nan("");

measurement timed(std::string variant, role is, double median, double half, std::string idea) {
  measurement m{.variant = std::move(variant), .role = is, .idea = std::move(idea)};
  m.metrics = {{{}, median, {median - half, median + half}}};
  series s;
  for (unsigned i = 0; i < 12; ++i) {
    s.value.push_back(median + half * (static_cast<double>(i % 5) - 2) / 2);
    s.block.push_back(i / 2);
    s.position.push_back(static_cast<std::uint8_t>(i % 2));
    s.marked.push_back(0);
  }
  m.samples = {s};
  return m;
}

run header() {
  run r{.id = "01JD3K8Z5W0000000000000042",
        .started = "2025-11-20T10:00:00Z",
        .command = {"ridge", "run", "ch01"},
        .profile = "minimal",
        .seed = 42,
        .wall_s = 12.34};
  r.environment = {.machine = "intel-xeon-x2",
                   .host = "lab",
                   .cpu = "Intel Xeon Processor",
                   .kernel = "Linux 6.1.0",
                   .compiler = "GCC 12.2.0",
                   .build = "0.1.0",
                   .cores = 2};
  r.peak.ceilings = {
      {.id = "cpu.triad", .unit = "B/s", .value = 2.15e10, .variant = "non-temporal", .threads = 2},
      {.id = "cpu.fma.fp32", .unit = "FLOP/s", .value = 1.4e11, .variant = "avx512", .note = "one port"}};
  return r;
}

comparison judged(std::string reference, std::string candidate, double ratio, double half, verdict v) {
  return {.reference = std::move(reference),
          .candidate = std::move(candidate),
          .ratio = ratio,
          .ci = {ratio - half, ratio + half},
          .verdict = v,
          .assurance = 2,
          .pairs = 412,
          .aa = {0.9988, 1.0011}};
}

}  // namespace

run two_variants() {
  auto r = header();
  family f{.experiment = "ch01.contiguous_access",
           .title = "Contiguous and strided access",
           .question = "What does a core pay when neighbouring elements lie 128 bytes apart?",
           .problem = {{"elements", std::int64_t{1} << 24}, {"dtype", std::string("fp32")}},
           .rounds = 103,
           .wall_s = 0.95,
           .duty = 0.64};
  auto strided = timed("strided", role::baseline, 4.12e-3, 2e-5, "128 bytes between elements");
  strided.bytes_per_s = 5.2e9, strided.bytes_moved = 2.14e7, strided.of_ceiling = 0.242,
  strided.bound = bound::memory, strided.memory.peak_bytes = 64 << 20;
  auto contiguous = timed("contiguous", role::optimized, 2.31e-3, 1e-5, "consecutive elements share a line");
  contiguous.bytes_per_s = 1.76e10, contiguous.of_ceiling = 0.82, contiguous.bound = bound::memory,
  contiguous.memory.peak_bytes = 64 << 20, contiguous.energy_j = 1.2e-3;
  auto library = timed("memcpy", role::comparator, 2.30e-3, 1e-5, "what the C library does");
  library.threads = 2, library.of_ceiling = 0.824, library.bound = bound::memory;
  f.measurements = {strided, contiguous, library};
  f.comparisons = {judged("strided", "contiguous", 1.783, 0.0045, verdict::better),
                   judged("memcpy", "contiguous", 0.9957, 0.003, verdict::equivalent)};
  f.measurements[1].ceiling_first = 1.9e10, f.measurements[1].ceiling_again = 2.15e10;
  for (auto& c : f.comparisons) {
    if (c.reference == "memcpy" || c.candidate == "memcpy")
      c.libraries = {{"memcpy", "C library 2.36", 2, {{"OMP_NUM_THREADS", "2"}}}};
  }
  f.checks = {{.id = "verified", .result = outcome::pass},
              {.id = "interference",
               .result = outcome::warn,
               .value = 0.021,
               .limit = 0.01,
               .unit = "1",
               .evidence = "another process took the core"},
              {.id = "counters",
               .result = outcome::skipped,
               .evidence = "perf_event_paranoid is 3; run as root or set it to 1"}};
  r.families = {f};
  return r;
}

run awkward() {
  auto r = header();
  family f{.experiment = "ch01.goodput",
           .title = "Goodput of a training loop",
           .question = "How much of the time trains?",
           .goal = goal::goodput,
           .rounds = 6,
           .wall_s = 61,
           .forks = 5};
  const model::metric goodput{"goodput", "1", better::higher, clock_kind::simulated};
  measurement a{.variant = "baseline_with_a_name_far_too_long_for_any_column", .pedagogy = true};
  a.metrics = {{goodput, 0.42, {0.40, 0.43}}};
  a.phases = {{"load", 0.5, {0.48, 0.52}}, {"train", 0.42, {0.40, 0.43}}, {"other", 0.08, {0.07, 0.09}}};
  a.quantiles = {{"first token p50", "s", 0.5, 1.2e-3, {1.1e-3, 1.3e-3}},
                 {"first token p99", "s", 0.99, unknown, {}, 258},
                 {"step p50", "s", 0.5, 2.5e-4, {2.4e-4, 2.6e-4}}};
  auto b = a;
  b.variant = "预取 µ-loader", b.role = role::optimized,
  b.idea = "数据 in a second thread | while *this* one trains";
  b.metrics[0] = {goodput, 0.86, {0.86, 0.86}};
  b.phases.pop_back();
  measurement unseen{.variant = "nan", .role = role::optimized};
  unseen.metrics = {{goodput, unknown, {unknown, unknown}}};
  const measurement skipped{.variant = "captured",
                            .role = role::optimized,
                            .skipped =
                                "needs AVX512-FP16, which this CPU lacks; run it on a Sapphire Rapids or "
                                "newer machine with a kernel of 5.16 or later"};
  const measurement refused{.variant = "stale",
                            .role = role::optimized,
                            .refused = "element 7 of weights is 0.5, expected 1.25 within 1e-06",
                            .failure = failure_kind::wrong_output,
                            .stage = "verification"};
  f.measurements = {a, b, unseen, skipped, refused};
  auto exact = judged(a.variant, b.variant, 2.0476, 0, verdict::better);
  exact.metric = goodput;
  auto nothing = judged(a.variant, "nan", unknown, 0, verdict::invalid);
  nothing.metric = goodput, nothing.ci = {unknown, unknown}, nothing.assurance = 0;
  nothing.checks = {
      {.id = "drift", .result = outcome::fail, .value = unknown, .evidence = "halves\x1b[2J differ"}};
  auto wide = judged(a.variant, b.variant, 1.15, 0.155, verdict::inconclusive);
  wide.metric = {"peak memory", "B"};
  f.comparisons = {exact, nothing, wide};
  const family absent{.experiment = "ch01.gpu",
                      .backend = backend::cuda,
                      .skipped = "cuda: not in this build (no CUDA toolkit at configure)"};
  r.families = {f, absent};
  return r;
}

run ladder() {
  auto r = header();
  family f{.experiment = "ch01.gemm",
           .title = "A ladder of matrix products",
           .problem = {{"n", std::int64_t{1000}}},
           .rounds = 40,
           .wall_s = 3};
  double time = 1;
  for (int i = 0; i < 12; ++i, time /= 1.6) {
    auto m = timed(fmt::format("step{}", i), i ? role::optimized : role::baseline, time, time / 100,
                   i ? "one idea more" : "three loops");
    m.flop_per_s = 2e9 / time, m.of_ceiling = 2e9 / time / 1.4e12,
    m.bound = i < 6 ? bound::latency : bound::compute;
    f.measurements.push_back(m);
    if (i == 0) continue;
    const auto ratio = std::pow(1.6, i);
    f.comparisons.push_back(judged("step0", m.variant, ratio, ratio / 200, verdict::better));
    auto step = judged(fmt::format("step{}", i - 1), m.variant, 1.6, 0.01, verdict::better);
    step.judged = false, step.headline = false;
    f.comparisons.push_back(step);
  }
  r.families = {f};
  return r;
}

}  // namespace ridge::report::tests
