// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include <ridge/trace/open.hpp>

#include "fixtures/data.hpp"
#include "fixtures/scratch_folder.hpp"
#include "importers.hpp"

namespace ridge::trace {
namespace {

class cached : public testing::TestWithParam<const char*> {};

// A trace from the cache cannot be told from a fresh one, but for the word that it is from there.
TEST_P(cached, is_the_same_trace) {
  const auto path = fixtures::data_file(std::string("traces/") + GetParam());
  if (path.empty()) GTEST_SKIP() << fixtures::no_data;
  const fixtures::scratch_folder folder;
  const open_options options{.cache_folder = folder.path().string(), .cached_from_bytes = 0};
  const auto fresh = open_data(path, options), kept = open_data(path, options);
  ASSERT_TRUE(fresh.ok() && kept.ok());
  ASSERT_EQ(kept->traces.size(), fresh->traces.size());
  for (std::size_t i = 0; i < fresh->traces.size(); ++i) {
    const auto &a = fresh->traces[i], &b = kept->traces[i];
    EXPECT_FALSE(a.source.from_cache);
    EXPECT_TRUE(b.source.from_cache);
    EXPECT_EQ(
        std::tuple(a.source.format, a.source.rank, a.source.content_bytes, a.source.producer, a.epoch_ns),
        std::tuple(b.source.format, b.source.rank, b.source.content_bytes, b.source.producer, b.epoch_ns));
    EXPECT_TRUE(std::ranges::equal(a.events.start_ns, b.events.start_ns));
    EXPECT_TRUE(std::ranges::equal(a.events.kind, b.events.kind));
    EXPECT_TRUE(std::ranges::equal(a.names.text, b.names.text));
    EXPECT_TRUE(std::ranges::equal(a.works, b.works, {}, &device_work::launch, &device_work::launch));
    EXPECT_TRUE(std::ranges::equal(a.tracks, b.tracks, {}, &track::name, &track::name));
    EXPECT_TRUE(std::ranges::equal(a.quality.defects, b.quality.defects, {}, &defect::count, &defect::count));
  }
}

INSTANTIATE_TEST_SUITE_P(files, cached,
                         testing::Values("param/dlrm_kineto.tar.gz", "param/resnet_kineto.json.gz",
                                         "nsys/mfu_2gpu_before.sqlite", "hta/triton_example", "malformed"));

}  // namespace
}  // namespace ridge::trace
