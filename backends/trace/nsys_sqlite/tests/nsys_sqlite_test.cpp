// SPDX-License-Identifier: Apache-2.0
#include "nsys_sqlite.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include <ridge/base/read_file.hpp>
#include <ridge/trace/open.hpp>

#include "fixtures/packed.hpp"
#include "made_up_export.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

constexpr auto one_kernel = R"(
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId,correlationId,globalPid,shortName);
INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (0,1000,0,7,100,7<<24,'gemm');)";

std::string bytes_of(const std::string& path) { return read_file(path).value(); }

result<trace::opened_traces> opened(const std::string& path) {
  const trace::importer* const importers[] = {&nsys_sqlite()};
  return trace::open(path, importers, {.cache = false});
}

TEST(nsys_sqlite, reads_a_compressed_export_and_leaves_nothing_behind) {
  const made_up_export made(one_kernel);
  const trace::fixtures::scratch_folder in;
  ASSERT_EQ(::setenv("TMPDIR", in.path().c_str(), 1), 0);
  const auto packed = made.path() + ".gz";
  std::ofstream(packed, std::ios::binary) << trace::fixtures::gzipped(bytes_of(made.path()));
  const auto all = opened(packed);
  ::unsetenv("TMPDIR");
  ASSERT_TRUE(all.ok()) << all.why().text();
  EXPECT_EQ(all->traces.at(0).works.size(), 1U);
  EXPECT_EQ(all->traces.at(0).source.format, "nsys_sqlite");
  EXPECT_TRUE(std::filesystem::is_empty(in.path()));
}

TEST(nsys_sqlite, gives_what_a_cut_export_holds_or_says_that_it_is_damaged) {
  std::string sql =
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId,shortName);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i * 10, i * 10 + 5, 0, 7, 'k' FROM n;";
  const made_up_export made(sql);
  std::filesystem::resize_file(made.path(), std::filesystem::file_size(made.path()) / 2);
  const auto all = opened(made.path());
  if (!all) {
    EXPECT_NE(all.why().message.find("cannot be read as SQLite"), std::string::npos);
    return;
  }
  const auto& t = all->traces.at(0);
  EXPECT_TRUE(t.quality.truncated());
  EXPECT_LT(t.works.size(), 20001U);
}

TEST(nsys_sqlite, refuses_a_database_of_something_else) {
  const auto other = opened(made_up_export("CREATE TABLE music(title)").path());
  ASSERT_FALSE(other.ok());
}

TEST(nsys_sqlite, leaves_databases_of_rocprofv3_to_their_own_reader) {
  const made_up_export rocm("CREATE TABLE rocpd_kernel_dispatch(id)");
  EXPECT_FALSE(nsys_sqlite().recognises(bytes_of(rocm.path())));
  const auto source = trace::open_member({.path = rocm.path()});
  const auto rocpd = nsys_sqlite().read(**source, {.path = "r.db"}, {});
  ASSERT_FALSE(rocpd.ok());
  EXPECT_NE(rocpd.why().remedy.find("VACUUM INTO"), std::string::npos);
}

TEST(nsys_sqlite, never_runs_a_view_of_a_known_name) {
  const made_up_export made(
      std::string(one_kernel) +
      "CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) "
      "SELECT i AS start, i AS end, 59 AS eventType, 'x' AS text, 1 AS globalTid FROM n;");
  EXPECT_EQ(made.read().events.size(), 1U);
}

TEST(nsys_sqlite, stops_at_the_memory_that_is_allowed) {
  const made_up_export made(
      "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start,end,deviceId,streamId,shortName);"
      "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999) "
      "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i * 10, i * 10 + 5, 0, 7, 'k' FROM n;");
  const auto source = trace::open_member({.path = made.path()});
  const auto some = nsys_sqlite().read(**source, {}, {.memory_bytes = 100 * 256});
  ASSERT_TRUE(some.ok());
  EXPECT_EQ(some->works.size(), 100U);
  EXPECT_EQ(some->quality.count(trace::flaw::over_limit), 1U);
}

}  // namespace
}  // namespace ridge::backends::trace_nsys_sqlite
