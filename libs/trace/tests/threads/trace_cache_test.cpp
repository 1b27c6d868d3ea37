// SPDX-License-Identifier: Apache-2.0
#include "cache/trace_cache.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "fixtures/scene.hpp"
#include "fixtures/scratch_folder.hpp"

namespace ridge::trace {
namespace {

TEST(trace_cache, writers_at_the_same_time_leave_one_whole_file) {
  const fixtures::scratch_folder in;
  const auto folder = in.path() / "cache";
  const trace_cache cache(folder, "1.0");
  const input_member input{.path = in.write("a.json", "{}")};
  fixtures::scene s;
  for (int i = 0; i < 2000; ++i) s.kernel("gemm", i * 10, 5);
  const auto made = s.build();
  std::atomic<int> missed = 0;
  const auto work = [&] {
    for (int i = 0; i < 20; ++i) {
      cache.keep(input, made);
      const auto found = cache.find(input);
      if (!found || found->works.size() != made.works.size()) ++missed;
    }
  };
  std::vector<std::thread> writers;
  for (int i = 0; i < 3; ++i) writers.emplace_back(work);
  for (auto& w : writers) w.join();
  EXPECT_EQ(missed, 0);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
}

}  // namespace
}  // namespace ridge::trace
