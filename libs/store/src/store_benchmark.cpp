// SPDX-License-Identifier: Apache-2.0
#include <ridge/store/store_benchmark.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <functional>

#include <fmt/format.h>

#include <ridge/base/expects.hpp>

namespace ridge::store {
namespace {

constexpr std::size_t samples_in_a_family = 1000;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

model::run header(std::string id) {
  model::run r{.id = std::move(id), .started = "2025-01-01T00:00:00Z", .profile = "selftest"};
  r.environment.machine = "selftest-cpu-x1";
  return r;
}

model::family family_of(std::string experiment, std::size_t samples) {
  const std::vector<model::estimate> seen{{.median = 1e-3, .ci = {0.9e-3, 1.1e-3}}};
  model::family f{.experiment = std::move(experiment), .problem = {{"n", std::int64_t{1 << 20}}}};
  f.measurements = {{.variant = "naive", .metrics = seen}, {.variant = "better", .metrics = seen}};
  f.comparisons = {
      {.reference = "naive", .candidate = "better", .ratio = 1.5, .ci = {1.4, 1.6}, .pairs = 100}};
  for (const auto* id : {"verified", "guards", "drift", "dependence", "interference"}) {
    f.comparisons[0].checks.push_back({.id = id, .result = model::outcome::pass, .value = 0.1, .limit = 0.5});
  }
  auto& s = f.measurements[0].samples.emplace_back();
  for (std::size_t i = 0; i < samples; ++i) {
    s.value.push_back(1e-3 + 1e-9 * static_cast<double>(i));
    s.block.push_back(static_cast<std::uint32_t>(i / 4));
    s.position.push_back(static_cast<std::uint8_t>(i % 4));
    s.marked.push_back(0);
  }
  return f;
}

double median_of_five(const std::function<void()>& work) {
  std::array<double, 5> times{};
  for (auto& t : times) t = seconds(work);
  std::ranges::sort(times);
  return times[2];
}

}  // namespace

double measure_write(store& target, std::size_t samples) {
  const auto run = header("SELFTESTWRITE");
  const auto family = family_of("selftest.write", samples_in_a_family);
  target.begin(run);
  return seconds([&] {
    for (std::size_t done = 0; done < samples; done += samples_in_a_family) target.commit(run.id, family);
  });
}

history_times measure_history(store& source, std::size_t runs) {
  const auto wanted = family_of("selftest.history", 10);
  const auto other = family_of("selftest.other", 10);
  for (std::size_t i = 0; i < runs; ++i) {
    const auto run = header(fmt::format("SELFTESTHISTORY{:08}", i));
    source.begin(run);
    source.commit(run.id, wanted);
    source.commit(run.id, other);
  }
  const auto expect_rows = [&](const history_query& query, std::size_t rows) {
    expects(source.history(query).size() == rows, "measure_history: the store gives back what was put in");
  };
  const history_query newest{.experiment = "selftest.history", .candidate = "better", .limit = 100};
  const history_query all{.experiment = "selftest.history", .limit = runs};
  return {.newest_s = median_of_five([&] { expect_rows(newest, std::min<std::size_t>(runs, 100)); }),
          .all_s = median_of_five([&] { expect_rows(all, runs); })};
}

}  // namespace ridge::store
