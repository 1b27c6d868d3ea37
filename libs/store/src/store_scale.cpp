// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/store_scale.hpp>

#include <array>
#include <chrono>
#include <cmath>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace ridge::store {
namespace {

constexpr std::string_view id_prefix = "01GENERATED";
constexpr std::size_t workloads = 1000, problems = 4, machines = 2;
constexpr std::array variants{"naive", "tiled", "vectorized", "unrolled", "library"};

// Returns a number in [0, 1) that depends on both arguments alone (splitmix64).
double drawn(std::size_t number, std::size_t stream) {
  std::uint64_t x = number * 0x9e3779b97f4a7c15ULL + stream * 0xbf58476d1ce4e5b9ULL + 1;
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return static_cast<double>((x ^ (x >> 31U)) >> 11U) * 0x1p-53;
}

std::size_t workload_of(std::size_t number) {
  if (number % 10 == 0) return 0;
  return 1 + static_cast<std::size_t>(drawn(number, 1) * (workloads - 1));
}

bool has_gpu(std::size_t workload) { return workload % machines == 1; }

std::string machine_of(std::size_t workload) {
  return has_gpu(workload) ? "generated-x16-nvidia-h200" : "generated-x16";
}

// Environments change with a driver every 2,000 runs.
model::environment environment_of(std::size_t number, std::size_t workload) {
  model::environment all;
  all.machine = machine_of(workload);
  for (int fact = 0; fact < 40; ++fact)
    all.facts.emplace_back(fmt::format("fact{}", fact), fmt::format("a value of some length {}", fact));
  if (has_gpu(workload)) all.facts.emplace_back("gpu", "NVIDIA H200");
  all.facts.emplace_back("driver", fmt::format("5{}.10", number / 2000));
  return all;
}

model::measurement measured(std::size_t number, std::size_t variant, const store_scale& scale) {
  const double step = number < scale.runs / 2 ? 1.0 : 1.03;
  const double median =
      step * 1e-3 / static_cast<double>(1 + variant) * (1 + 0.02 * (drawn(number, 10 + variant) - 0.5));
  model::measurement m{.variant = variants.at(variant),
                       .role = variant == 0 ? model::role::baseline : model::role::optimized,
                       .metrics = {{.median = median, .ci = {0.99 * median, 1.01 * median}}},
                       .energy_j = 40 * median,
                       .flop = 2e6,
                       .bytes_moved = 8e6,
                       .of_ceiling = 0.1 * static_cast<double>(1 + variant),
                       .bound = model::bound::memory};
  m.memory.peak_bytes = 1e6 * static_cast<double>(1 + variant);
  model::series samples;
  for (std::size_t i = variant; i < scale.samples_per_run; i += variants.size()) {
    samples.value.push_back(median * (1 + 0.02 * (drawn(number, 100 + i) - 0.5)));
    samples.block.push_back(static_cast<std::uint32_t>(i / variants.size()));
    samples.position.push_back(static_cast<std::uint8_t>(i % variants.size()));
    samples.marked.push_back(0);
  }
  m.samples.push_back(std::move(samples));
  return m;
}

model::comparison compared(const model::measurement& reference, const model::measurement& candidate) {
  const double ratio = reference.metrics[0].median / candidate.metrics[0].median;
  model::comparison c{.reference = reference.variant,
                      .candidate = candidate.variant,
                      .ratio = ratio,
                      .ci = {0.99 * ratio, 1.01 * ratio},
                      .verdict = model::verdict::better,
                      .assurance = 2,
                      .pairs = 100,
                      .aa = {0.99, 1.01}};
  for (const auto* id : {"verified", "guards", "drift", "dependence", "interference"})
    c.checks.push_back({.id = id, .result = model::outcome::pass, .value = 0.1, .limit = 0.5});
  return c;
}

model::family family_of(std::size_t number, std::size_t workload, const store_scale& scale) {
  const auto unit = workload / machines;  // experiment and problem
  model::family f{
      .experiment = fmt::format("ch{:02}.generated_{}", 1 + unit / problems % 20, unit / problems),
      .title = fmt::format("Generated experiment {}", unit / problems),
      .question = "How long does a query take?",
      .backend = has_gpu(workload) ? model::backend::cuda : model::backend::cpu,
      .problem = {{"n", std::int64_t{1} << (16 + unit % problems)}, {"dtype", "fp32"}},
      .flop = 2e6,
      .bytes_read = 4e6,
      .bytes_written = 4e6,
      .items = 1e6,
      .seed = number,
      .rounds = 100,
      .wall_s = 1};
  for (std::size_t v = 0; v < variants.size(); ++v) f.measurements.push_back(measured(number, v, scale));
  for (std::size_t v = 1; v < variants.size(); ++v)
    f.comparisons.push_back(compared(f.measurements[0], f.measurements[v]));
  return f;
}

std::string id_of(std::size_t number) { return fmt::format("{}{:015}", id_prefix, number); }

// Notes on changes of the first series there are.
void add_notes(store& target, const store_scale& scale) {
  if (!target.notes().empty()) return;
  for (const auto& s : target.series({.limit = 100}))
    target.note({.series = s.id,
                 .run = id_of(scale.runs / 2),
                 .state = "confirmed",
                 .note = "the generated step",
                 .stated = "2026-01-01T00:00:00Z"});
}

}  // namespace

model::run generated_run(std::size_t number, const store_scale& scale) {
  using namespace std::chrono;
  const auto workload = workload_of(number);
  const sys_seconds started = sys_days{2025y / January / 1} + minutes(5 * number);
  model::run run{
      .id = id_of(number),
      .started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(system_clock::to_time_t(started))),
      .command = {"ridge", "run"},
      .profile = "generated",
      .seed = number,
      .wall_s = 1.5,
      .environment = environment_of(number, workload)};
  run.peak.ceilings = {{.id = "cpu.triad", .unit = "B/s", .value = 1e11}};
  run.families.push_back(family_of(number, workload, scale));
  return run;
}

result<std::size_t> fill(store& target, const store_scale& scale,
                         const std::function<void(std::size_t)>& progress) {
  std::size_t present = 0;
  if (const auto newest = target.runs({.limit = 1}); !newest.empty()) {
    const auto held = target.counts().runs;
    if (newest[0].id != id_of(held - 1))
      return error{"the store holds results that were not generated", "give --store an empty one"};
    present = held;
  }
  for (auto number = present; number < scale.runs; ++number) {
    target.enter(generated_run(number, scale), true);
    if (progress) progress(number + 1);
  }
  add_notes(target, scale);
  return scale.runs > present ? scale.runs - present : 0;
}

double measure_bulk(store& target, std::size_t runs) {
  constexpr std::size_t families = 1000, samples = 1000;
  double spent = 0;
  for (std::size_t i = 0; i < runs; ++i) {
    auto run = generated_run(i, {.runs = runs, .samples_per_run = samples});
    run.id = fmt::format("01BULK{:020}", i);
    run.families.resize(families, run.families[0]);
    const auto start = std::chrono::steady_clock::now();
    target.enter(run, true);
    spent += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  return static_cast<double>(runs * families * samples) / spent;
}

}  // namespace ridge::store
