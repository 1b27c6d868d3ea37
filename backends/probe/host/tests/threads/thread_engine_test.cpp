// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include <gtest/gtest.h>

#include <ridge/base/byte_units.hpp>
#include <ridge/host/pages.hpp>

#include "storage/block_engine.hpp"
#include "storage/file_probe.hpp"
#include "storage/request_stream.hpp"
#include "storage/storage_probe.hpp"
#include "tests/small_request.hpp"

namespace ridge::backends::probe_host {
namespace {

TEST(thread_engine, requests_in_flight_find_what_others_wrote) {
  const steady watch;
  const nameless_file file(std::filesystem::temp_directory_path(), 8 * mib, {});
  ASSERT_EQ(fill(make_thread_engine(fill_depth), file.buffered(), file.room(), watch, 10), 8 * mib);
  for (const bool writes : {false, true}) {
    request_stream stream(make_thread_engine(4), file.buffered(), 8 * mib,
                          {.writes = writes, .random = true, .bytes = 64 * kib, .depth = 4});
    EXPECT_NO_THROW(stream.run(watch, [](std::size_t done, double) { return done == 256; }));
  }
}

TEST(thread_engine, may_end_before_its_requests) {
  const nameless_file file(std::filesystem::temp_directory_path(), 8 * mib, {});
  constexpr std::size_t block = 64 * kib;
  const host::region memory(8 * block, host::page_bytes());
  const auto engine = make_thread_engine(2);
  for (std::size_t slot = 0; slot < 8; ++slot)
    engine->start(slot, {file.buffered(), true, memory.bytes().data() + slot * block, block, slot * block});
}

TEST(storage_probe, several_readers_share_one_file) {
  const steady watch;
  for (const auto& row : probe_storage(std::filesystem::temp_directory_path(), watch, 0.2))
    EXPECT_GT(row.value, 0) << row.id;
}

}  // namespace
}  // namespace ridge::backends::probe_host
