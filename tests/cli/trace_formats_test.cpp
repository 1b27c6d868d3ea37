// SPDX-License-Identifier: Apache-2.0
// Traces of JAX, Perfetto and rocprofv3's databases through the program: what it says of a launch and the
// kernel of 60 us that it launched, 1 us behind another of 20 us.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "fixtures/wire_writer.hpp"
#include "program.hpp"

namespace ridge::cli {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using trace::fixtures::wire_writer;

std::string xspace() {
  const auto event = [](std::uint64_t kind, std::uint64_t start_ns, std::uint64_t length_ns,
                        std::uint64_t correlation) {
    return wire_writer()
        .number(1, kind)
        .number(2, start_ns * 1000)
        .number(3, length_ns * 1000)
        .message(4, wire_writer().number(1, 9).number(3, correlation));
  };
  const auto plane = [](std::string_view name, const wire_writer& line, std::string_view first,
                        std::string_view second) {
    const auto kind = [](std::uint64_t id, std::string_view text) {
      return wire_writer().number(1, id).message(2, wire_writer().number(1, id).text(2, text));
    };
    return wire_writer()
        .number(1, 1)
        .text(2, name)
        .message(3, line)
        .message(4, kind(1, first))
        .message(4, kind(2, second))
        .message(5, kind(9, "correlation_id"));
  };
  const auto host = wire_writer()
                        .number(1, 500)
                        .text(2, "python")
                        .message(4, event(1, 10'000, 5'000, 1))
                        .message(4, event(1, 16'000, 5'000, 2));
  const auto stream = wire_writer()
                          .number(1, 7)
                          .text(2, "Stream #7")
                          .message(4, event(1, 20'000, 20'000, 1))
                          .message(4, event(2, 41'000, 60'000, 2));
  return wire_writer()
      .message(1, plane("/host:CPU", host, "cuLaunchKernel", "unused"))
      .message(1, plane("/device:GPU:0", stream, "first", "gemm"))
      .bytes();
}

std::string packets() {
  wire_writer all;
  all.message(1, wire_writer().message(
                     60, wire_writer().number(1, 2).message(4, wire_writer().number(1, 7).number(2, 8))));
  const auto slice = [&](std::uint64_t start, std::uint64_t end, std::string_view word, std::string_view name,
                         std::uint64_t correlation) {
    const auto number = [](std::string_view key, std::uint64_t value) {
      return wire_writer().text(10, key).number(4, value);
    };
    const auto track = word == "kernel" ? 3U : 2U;
    auto begin = wire_writer().number(9, 1).number(11, track).text(22, word).text(23, name).message(
        4, number("correlation", correlation));
    if (word == "kernel") begin.message(4, number("device", 0)).message(4, number("stream", 7));
    all.message(1, wire_writer().number(8, start).message(11, begin));
    all.message(1, wire_writer().number(8, end).message(11, wire_writer().number(9, 2).number(11, track)));
  };
  slice(10'000, 15'000, "cuda_runtime", "cudaLaunchKernel", 1);
  slice(16'000, 21'000, "cuda_runtime", "cudaLaunchKernel", 2);
  slice(20'000, 40'000, "kernel", "first", 1);
  slice(41'000, 101'000, "kernel", "gemm", 2);
  return all.bytes();
}

void write_database(const std::string& path) {
  constexpr auto sql = R"(
CREATE TABLE rocpd_string_a(id INTEGER PRIMARY KEY, string TEXT);
INSERT INTO rocpd_string_a VALUES (1,'HIP_RUNTIME_API_EXT'),(2,'hipLaunchKernel');
CREATE TABLE rocpd_event_a(id INTEGER PRIMARY KEY, category_id, stack_id);
INSERT INTO rocpd_event_a VALUES (1,1,1),(2,1,2),(3,0,1),(4,0,2);
CREATE TABLE rocpd_info_agent_a(id INTEGER PRIMARY KEY, type TEXT);
INSERT INTO rocpd_info_agent_a VALUES (4,'GPU');
CREATE TABLE rocpd_info_kernel_symbol_a(id INTEGER PRIMARY KEY, display_name TEXT);
INSERT INTO rocpd_info_kernel_symbol_a VALUES (1,'first'),(2,'gemm');
CREATE TABLE rocpd_region_a(id INTEGER PRIMARY KEY, pid, tid, start, "end", name_id, event_id);
INSERT INTO rocpd_region_a VALUES (1,7,8,10000,15000,2,1),(2,7,8,16000,21000,2,2);
CREATE TABLE rocpd_kernel_dispatch_a(id INTEGER PRIMARY KEY, pid, tid, agent_id, kernel_id, stream_id, start, "end", event_id);
INSERT INTO rocpd_kernel_dispatch_a VALUES (1,7,8,4,1,7,20000,40000,3),(2,7,8,4,2,7,41000,101000,4);)";
  sqlite3* db = nullptr;
  sqlite3_open(path.c_str(), &db);
  EXPECT_EQ(sqlite3_exec(db, sql, nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(db);
}

void expect_pages(const scene& in, const std::string& file, const std::string& format) {
  const auto seen = in.ridge("trace " + file + " --json");
  ASSERT_EQ(seen.code, 0) << seen.err;
  for (const auto& told : {"\"format\": *\"" + format, std::string("\"span_ns\": *81000"),
                           std::string("\"busy_ns\": *80000"), std::string("\"correlated\": *2")})
    EXPECT_THAT(seen.out, ContainsRegex(told + "[^0-9]"));
  const auto kernels = in.ridge("trace kernels " + file + " --csv");
  EXPECT_EQ(kernels.code, 0) << kernels.err;
  EXPECT_THAT(kernels.out, HasSubstr("gemm"));
  const auto diagnosis = in.ridge("diagnose " + file + " --json");
  EXPECT_EQ(diagnosis.code, 0) << diagnosis.err;
  EXPECT_THAT(diagnosis.out, HasSubstr("ridge.trace.diagnosis/1"));
}

TEST(cli_trace_formats, reads_what_jax_writes) {
  const scene in;
  std::ofstream(in.folder() / "host.xplane.pb", std::ios::binary) << xspace();
  expect_pages(in, "host.xplane.pb", "xplane");
}

TEST(cli_trace_formats, reads_binary_traces_of_perfetto) {
  const scene in;
  std::ofstream(in.folder() / "rank0.pftrace", std::ios::binary) << packets();
  expect_pages(in, "rank0.pftrace", "pftrace");
}

TEST(cli_trace_formats, reads_databases_of_rocprofv3) {
  const scene in;
  write_database((in.folder() / "7_results.db").string());
  expect_pages(in, "7_results.db", "rocpd");
}

}  // namespace
}  // namespace ridge::cli
