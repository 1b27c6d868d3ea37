// SPDX-License-Identifier: Apache-2.0
// Inputs so large that whatever takes the square of their size does not end before the test's time is over.
#include <gtest/gtest.h>

#include <fixtures/packed.hpp>
#include <fixtures/scene.hpp>
#include <fixtures/scratch_folder.hpp>
#include <ridge/trace/byte_source.hpp>
#include <ridge/trace/device_partition.hpp>
#include <ridge/trace/idle.hpp>
#include <ridge/trace/kernel_table.hpp>
#include <ridge/trace/launches.hpp>

#include "import/input_opener.hpp"

namespace ridge::trace {
namespace {

// Two kernels on each device, with a gap of 10 us, and no launch in the trace.
trace many_devices(std::int32_t devices) {
  fixtures::scene s;
  s.op("main", 0, 100);
  for (std::int32_t d = 0; d < devices; ++d)
    s.kernel("first", 1000, 5'000, 7, {}, {.device = d})
        .kernel("second", 16'000, 5'000, 7, {}, {.device = d});
  return s.build();
}

TEST(scale, two_hundred_thousand_devices_take_time_that_grows_with_their_number) {
  constexpr std::int32_t devices = 200'000;
  const auto t = many_devices(devices);
  ASSERT_EQ(t.working_devices().size(), std::size_t{devices});
  const std::vector<work_class> classes(t.works.size(), work_class::compute);
  // The window goes on after the last work, where the main thread is asked what the host did.
  const time_range window{0, 30'000};
  nanoseconds idle = 0;
  for (const auto& report : idle_of_devices(t, window)) idle += report.idle_ns;
  EXPECT_EQ(idle, std::int64_t{devices} * (30'000 - 10'000));
  const auto parts = partition_devices(t, classes, window);
  ASSERT_EQ(parts.size(), std::size_t{devices});
  EXPECT_EQ(parts.back().compute_ns, 10'000);
  EXPECT_EQ(parts.back().idle_ns, 20'000);
  EXPECT_EQ(kernel_table(t, classes, {}).size(), std::size_t{2} * devices);
  EXPECT_EQ(launches_of(t).uncorrelated, std::uint64_t{2} * devices);
}

TEST(scale, a_zip_of_a_hundred_thousand_files_opens_in_time_that_grows_with_their_number) {
  constexpr int count = 100'000;
  const fixtures::scratch_folder in;
  std::vector<fixtures::archived> files;
  for (int i = 0; i < count; ++i) files.push_back({"f" + std::to_string(i), std::to_string(i)});
  const auto path = in.write("many.zip", fixtures::zipped(files, fixtures::zip_kind::wide));
  const auto members = members_of(path);
  ASSERT_TRUE(members.ok());
  ASSERT_EQ(members->size(), std::size_t{count});
  input_opener opener({});
  std::size_t right = 0;
  for (int i = 0; i < count; ++i) {
    const auto source = opener.open(members->at(static_cast<std::size_t>(i)));
    ASSERT_TRUE(source.ok()) << i;
    right += fixtures::read_all(**source) == std::to_string(i) ? 1U : 0U;
  }
  EXPECT_EQ(right, std::size_t{count});
}

}  // namespace
}  // namespace ridge::trace
