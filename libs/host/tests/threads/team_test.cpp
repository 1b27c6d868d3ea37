// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/team.hpp>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <stdexcept>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>
#include <ridge/host/affinity.hpp>

namespace ridge::host {
namespace {

// At most two CPUs: ranks 0 and 2 always share one.
team three_on_two_cpus() {
  const auto& cpus = process_cpus();
  return team({cpus.front(), cpus.back(), cpus.front()});
}

TEST(team, every_rank_runs_once_on_its_own_cpu) {
  auto crew = team::of_cores();
  std::vector<int> seen(crew.cpus().size(), -1), calls(crew.cpus().size(), 0);
  crew.run([&](int rank, int size) {
    EXPECT_EQ(size, crew.size());
    seen[static_cast<std::size_t>(rank)] = current_cpu();
    ++calls[static_cast<std::size_t>(rank)];
  });
  EXPECT_EQ(seen, crew.cpus());
  EXPECT_TRUE(std::ranges::all_of(calls, [](int n) { return n == 1; }));
}

TEST(team, the_calling_thread_gets_its_mask_back) {
  const auto before = affinity();
  {
    const auto crew = team::of_cores(1);
    EXPECT_EQ(affinity(), crew.cpus());
  }
  EXPECT_EQ(affinity(), before);
}

// More threads than cores, plain writes in one run read by other ranks in the next: races show under tsan.
TEST(team, many_runs_hand_their_writes_on) {
  auto crew = three_on_two_cpus();
  std::vector<int> cells(3, 0);
  constexpr int runs = 30;
  for (int i = 0; i < runs; ++i) {
    crew.run([&](int rank, int size) { cells[static_cast<std::size_t>((rank + i) % size)] += 1; });
  }
  EXPECT_EQ(cells, std::vector<int>(3, runs));
}

TEST(team, sleeping_threads_wake_up) {
  auto crew = team::of_cores();
  std::atomic<int> calls = 0;
  for (int i = 0; i < 5; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    crew.run([&](int, int) { ++calls; });
  }
  EXPECT_EQ(calls, 5 * crew.size());
}

TEST(team, a_body_may_meet_in_the_middle) {
  team crew({process_cpus().front(), process_cpus().back()});
  std::vector<int> first(2, 0), second(2, 0);
  crew.run([&](int rank, int) {
    const auto me = static_cast<std::size_t>(rank);
    for (int i = 1; i <= 20; ++i) {
      first[me] = i;
      crew.barrier();
      second[me] += first[1 - me];
      crew.barrier();
    }
  });
  EXPECT_EQ(second, std::vector<int>(2, 20 * 21 / 2));
}

TEST(team, the_lowest_rank_s_exception_arrives_and_the_team_goes_on) {
  auto crew = three_on_two_cpus();
  try {
    crew.run([](int rank, int) {
      if (rank > 0) throw std::runtime_error("rank " + std::to_string(rank));
    });
    FAIL();
  } catch (const std::runtime_error& e) {
    EXPECT_STREQ(e.what(), "rank 1");
  }
  std::atomic<int> calls = 0;
  crew.run([&](int, int) { ++calls; });
  EXPECT_EQ(calls, 3);
}

TEST(team, shares_cover_the_range_once_and_differ_by_one) {
  auto crew = three_on_two_cpus();
  for (const std::size_t count : {0ul, 1ul, 2ul, 3ul, 7ul, 1000ul}) {
    std::vector<std::atomic<int>> visits(count);
    std::vector<std::size_t> shares(3, 0);
    std::atomic<std::size_t> next = 0;
    crew.parallel_for(count, [&](std::size_t begin, std::size_t end) {
      shares[next++] = end - begin;
      for (auto i = begin; i < end; ++i) ++visits[i];
    });
    EXPECT_TRUE(std::ranges::all_of(visits, [](const std::atomic<int>& v) { return v == 1; })) << count;
    EXPECT_LE(std::ranges::max(shares) - std::ranges::min(shares), 1u) << count;
  }
}

TEST(team, misuse_is_refused) {
  auto crew = team::of_cores(1);
  EXPECT_THROW(crew.run([&](int, int) { crew.run([](int, int) {}); }), precondition_violated);
  std::thread([&] { EXPECT_THROW(crew.run([](int, int) {}), precondition_violated); }).join();
  EXPECT_THROW(team({}), precondition_violated);
  EXPECT_THROW(team({process_cpus().front(), 8000}), unavailable);
  EXPECT_THROW(static_cast<void>(team::of_cores(8000)), unavailable);
}

}  // namespace
}  // namespace ridge::host
