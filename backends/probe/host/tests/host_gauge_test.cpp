// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <gtest/gtest.h>

#include <ridge/host/team.hpp>
#include <ridge/probe/gauge.hpp>

#include "tests/steady.hpp"

namespace ridge::backends::probe_host {

std::unique_ptr<probe::gauge> make_gauge(const measure::clock& clock);

namespace {

// Returns the first undisturbed reading; 0 when the machine allows none.
double undisturbed(probe::gauge& gauge, std::string_view id, host::team* team) {
  double rate = 0;
  for (int i = 0; i < 200 && rate == 0; ++i) rate = gauge.read(id, team);
  return rate;
}

TEST(host_gauge, reads_both_ceilings_at_rates_no_cpu_is_without) {
  const steady clock;
  const auto gauge = make_gauge(clock);
  for (const auto* id : {"cpu.fma.fp32", "cpu.triad"}) {
    const double rate = undisturbed(*gauge, id, nullptr);
    if (rate == 0) GTEST_SKIP() << "every reading was disturbed: the machine is busy";
    EXPECT_GT(rate, 1e8) << id;
    EXPECT_LT(rate, 1e13) << id;
  }
}

TEST(host_gauge, reads_on_the_threads_it_is_given) {
  const steady clock;
  const auto gauge = make_gauge(clock);
  auto two = host::team::of_cores(0);
  if (two.size() < 2) GTEST_SKIP() << "one core only";
  const double all = undisturbed(*gauge, "cpu.fma.fp32", &two);
  if (all == 0) GTEST_SKIP() << "every reading was disturbed: the machine is busy";
  EXPECT_GT(all, 1e8);  // how far above one thread depends on who else computes
}

TEST(host_gauge, has_no_other_ceiling) {
  const steady clock;
  EXPECT_EQ(make_gauge(clock)->read("cpu.fma.bf16", nullptr), 0);
}

}  // namespace
}  // namespace ridge::backends::probe_host
