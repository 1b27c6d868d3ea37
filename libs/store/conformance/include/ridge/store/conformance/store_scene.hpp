// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include <ridge/model/json.hpp>
#include <ridge/store/store.hpp>

// The fixture of the conformance tests: runs and families to be stored.
namespace ridge::store {

// How a backend's stores are opened, and what this machine lacks for it: tests are skipped where that is not
// empty.
struct store_factory {
  std::function<std::unique_ptr<store>(const std::string& name)> open{};
  std::function<std::string()> lacking{};
};

// Gives every test a location of its own.
class store_conformance : public testing::TestWithParam<store_factory> {
 protected:
  void SetUp() override {
    const auto lacking = GetParam().lacking ? GetParam().lacking() : std::string();
    if (!lacking.empty()) GTEST_SKIP() << lacking;
  }
  std::unique_ptr<store> open() {
    return GetParam().open(testing::UnitTest::GetInstance()->current_test_info()->name());
  }

  static model::run header(std::string id, std::string machine = "intel-xeon-x2") {
    model::run r{.id = std::move(id),
                 .started = "2025-11-20T10:00:00Z",
                 .command = {"ridge", "run"},
                 .profile = "minimal",
                 .seed = 1ull << 63};
    r.environment.machine = std::move(machine);
    r.environment.facts = {{"governor", "performance"}};
    r.peak.ceilings = {{.id = "cpu.triad", .unit = "B/s", .value = 1e10}};
    return r;
  }

  static model::family family(std::string experiment, std::int64_t n = 4096, double ratio = 1.5) {
    model::family f{.experiment = std::move(experiment), .title = "µ", .problem = {{"n", n}}, .seed = ~0ull};
    f.measurements = {{.variant = "naive", .metrics = {{.median = 3, .ci = {2, 4}}}},
                      {.variant = "fast",
                       .metrics = {{.median = 2, .ci = {1, 3}}},
                       .memory = {.reserved_bytes = 4096},
                       .energy_j = 0.5,
                       .of_ceiling = 0.8,
                       .ceiling = "cpu.triad, 2 threads",
                       .bound = model::bound::memory}};
    f.measurements[1].samples = {
        {.value = {1.5, std::nan("")}, .block = {0, 1}, .position = {2, 3}, .marked = {0, 1}},
        {.value = {4}}};
    f.comparisons = {{.reference = "naive",
                      .candidate = "fast",
                      .ratio = ratio,
                      .ci = {1.4, 1.6},
                      .verdict = model::verdict::better,
                      .headline = false,
                      .assurance = 2,
                      .pairs = 40,
                      .aa = {0.99, 1.01},
                      .checks = {{.id = "drift", .result = model::outcome::pass}}}};
    return f;
  }
};

// A run on a machine with one family of a variant of this median.
inline void enter(store& target, const model::run& run, model::family family, double median) {
  family.measurements[1].metrics[0].median = median;
  target.begin(run);
  target.commit(run.id, family);
  target.finish(run);
}

}  // namespace ridge::store
