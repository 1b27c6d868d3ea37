// SPDX-License-Identifier: Apache-2.0
#include "rocpd.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <stdexcept>
#include <string>

#include <sqlite3.h>

#include <ridge/base/read_file.hpp>
#include <ridge/trace/open.hpp>

#include "fixtures/scratch_folder.hpp"

namespace ridge::backends::trace_rocpd {
namespace {

using trace::category;

// A small database, made of SQL, in which @ stands for the end of the names of a process's tables.
class made_up_database {
 public:
  explicit made_up_database(std::string sql, const std::string& guid = "_0198_77") {
    for (auto at = sql.find('@'); at != std::string::npos; at = sql.find('@', at)) sql.replace(at, 1, guid);
    sqlite3* db = nullptr;
    sqlite3_open(path().c_str(), &db);
    char* why = nullptr;
    sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &why);
    const std::string text = why == nullptr ? "" : why;
    sqlite3_free(why);
    sqlite3_close(db);
    if (!text.empty()) throw std::runtime_error(text);
  }
  [[nodiscard]] std::string path() const { return (folder_.path() / "77_results.db").string(); }
  [[nodiscard]] result<trace::trace> read(const trace::read_limits& limits = {}) const {
    const auto source = trace::open_member({.path = path()});
    return rocpd().read(**source, {.path = path()}, limits);
  }

 private:
  trace::fixtures::scratch_folder folder_{};
};

// What explains rows: strings, two GPUs behind a processor, a kernel, a thread and a process, and events.
const std::string facts = R"(
CREATE TABLE "rocpd_metadata@"(id INTEGER PRIMARY KEY, tag TEXT, value TEXT);
CREATE TABLE "rocpd_string@"(id INTEGER PRIMARY KEY, guid TEXT, string TEXT);
INSERT INTO "rocpd_string@" VALUES (1,'','HIP_RUNTIME_API_EXT'),(2,'','hipLaunchKernel'),(3,'','MARKER_CORE_RANGE_API'),
 (4,'','roctxRangePushA'),(5,'','KERNEL_DISPATCH'),(6,'','MEMORY_COPY_HOST_TO_DEVICE'),(7,'','HSA_CORE_API'),(8,'','hsa_queue_create');
CREATE TABLE "rocpd_info_node@"(id INTEGER PRIMARY KEY, hostname TEXT, system_name TEXT);
INSERT INTO "rocpd_info_node@" VALUES (3,'mi300','Linux');
CREATE TABLE "rocpd_info_process@"(id INTEGER PRIMARY KEY, nid, pid, command TEXT);
INSERT INTO "rocpd_info_process@" VALUES (7,3,77,'./train');
CREATE TABLE "rocpd_info_thread@"(id INTEGER PRIMARY KEY, pid, tid, name TEXT);
INSERT INTO "rocpd_info_thread@" VALUES (9,7,78,'main');
CREATE TABLE "rocpd_info_agent@"(id INTEGER PRIMARY KEY, nid, pid, type TEXT, absolute_index, product_name TEXT, model_name TEXT, name TEXT, extdata);
INSERT INTO "rocpd_info_agent@" VALUES (1,3,7,'CPU',0,'','','cpu','{}'),(5,3,7,'GPU',2,'MI300X','','gfx942',
 '{"cu_count":304,"wave_front_size":64,"simd_per_cu":4,"max_waves_per_simd":8,"lds_size_in_kb":64,"max_engine_clk_fcompute":2100,"mem_banks":[{"size_in_bytes":128}]}'),
 (4,3,7,'GPU',1,'','','gfx942','not json');
CREATE TABLE "rocpd_info_kernel_symbol@"(id INTEGER PRIMARY KEY, kernel_name TEXT, display_name TEXT, arch_vgpr_count, accum_vgpr_count);
INSERT INTO "rocpd_info_kernel_symbol@" VALUES (1,'_Z4gemmv','gemm()',32,16);
CREATE TABLE "rocpd_event@"(id INTEGER PRIMARY KEY, category_id, stack_id, correlation_id, extdata);
INSERT INTO "rocpd_event@" VALUES (10,1,31,0,'{}'),(11,5,31,0,'{}'),(12,6,32,0,'{}'),(13,3,33,0,'{"message": "forward"}'),(14,7,31,0,'{}');
)";

// As rocprofv3 writes it: places and times in each row.
const std::string rows = R"(
CREATE TABLE "rocpd_kernel_dispatch@"(id INTEGER PRIMARY KEY, nid, pid, tid, agent_id, kernel_id, dispatch_id, queue_id, stream_id,
 start, "end", private_segment_size, group_segment_size, workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, event_id);
INSERT INTO "rocpd_kernel_dispatch@" VALUES (1,3,7,9,5,1,1,2,6,1000,1500,16,4096,256,1,1,1000,2,1,11);
CREATE TABLE "rocpd_memory_copy@"(id INTEGER PRIMARY KEY, pid, tid, start, "end", name_id, dst_agent_id, src_agent_id, size, stream_id, event_id);
INSERT INTO "rocpd_memory_copy@" VALUES (1,7,9,2000,2600,6,4,1,4096,0,12),(2,7,9,3000,3100,6,4,5,64,0,12);
CREATE TABLE "rocpd_region@"(id INTEGER PRIMARY KEY, pid, tid, start, "end", name_id, event_id);
INSERT INTO "rocpd_region@" VALUES (1,7,9,900,950,2,10),(2,7,9,800,4000,4,13),(3,7,9,910,920,8,14);
CREATE TABLE "rocpd_memory_allocate@"(id INTEGER PRIMARY KEY, pid, tid, agent_id, type TEXT, level TEXT, start, "end", address, size, event_id);
INSERT INTO "rocpd_memory_allocate@" VALUES (1,7,9,5,'ALLOC','REAL',100,110,4096,1024,0),(2,7,9,NULL,'FREE','REAL',5000,5010,4096,0,0),
 (3,7,9,5,'ALLOC','SCRATCH',100,110,1,9,0);
CREATE TABLE "rocpd_info_pmc@"(id INTEGER PRIMARY KEY, symbol TEXT, name TEXT);
INSERT INTO "rocpd_info_pmc@" VALUES (3,'SQ_WAVES','SQ_WAVES');
CREATE TABLE "rocpd_pmc_event@"(id INTEGER PRIMARY KEY, event_id, pmc_id, value REAL);
INSERT INTO "rocpd_pmc_event@" VALUES (1,11,3,1.5),(2,11,3,2),(3,99,3,7);
CREATE TABLE "rocpd_track@"(id INTEGER PRIMARY KEY, pid, tid, name_id);
INSERT INTO "rocpd_track@" VALUES (1,7,9,3);
CREATE TABLE "rocpd_sample@"(id INTEGER PRIMARY KEY, track_id, timestamp, event_id);
INSERT INTO "rocpd_sample@" VALUES (1,1,850,13);
)";

TEST(rocpd, is_known_by_its_tables) {
  const made_up_database made(facts + rows);
  EXPECT_TRUE(rocpd().recognises(read_file(made.path()).value().substr(0, 65536)));
  EXPECT_FALSE(rocpd().recognises("SQLite format 3"));
  EXPECT_FALSE(rocpd().recognises("{\"rocpd_\": 1}"));
}

TEST(rocpd, joins_a_kernel_to_its_call_and_counts_blocks) {
  const auto t = *made_up_database(facts + rows).read();
  const auto works = t.works_of(1);  // the second GPU by its place in the node
  ASSERT_EQ(works.size(), 2U);
  const auto& kernel = works[0];
  EXPECT_EQ(t.names[kernel.name], "gemm()");
  EXPECT_EQ(kernel.start_ns, 1'000);
  EXPECT_EQ(kernel.duration_ns(), 500);
  EXPECT_EQ(kernel.stream, 6);
  EXPECT_EQ(kernel.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(kernel.block[0], 256U);
  EXPECT_EQ(kernel.shared_bytes, 4096U);
  EXPECT_EQ(kernel.local_bytes, 16U);
  EXPECT_EQ(kernel.registers, 48);
  ASSERT_NE(kernel.launch, trace::none);
  EXPECT_EQ(t.name_of(kernel.launch), "hipLaunchKernel");  // and not the call of HSA that it made
  const auto& thread = t.tracks[t.events.track[kernel.launch]];
  EXPECT_EQ(thread.thread, 78);
  EXPECT_EQ(thread.name, "main");
  EXPECT_EQ(t.processes[thread.process].id, 77);
  EXPECT_EQ(t.processes[thread.process].name, "./train");
}

TEST(rocpd, tells_the_direction_of_copies_by_their_agents) {
  const auto t = *made_up_database(facts + rows).read();
  ASSERT_EQ(t.works_of(0).size(), 1U);
  EXPECT_EQ(t.works_of(0)[0].copy, trace::copy_kind::host_to_device);
  EXPECT_EQ(t.works_of(0)[0].bytes, 4096);
  EXPECT_EQ(t.works_of(1)[1].copy, trace::copy_kind::peer_to_peer);
}

TEST(rocpd, reads_ranges_marks_devices_memory_and_counters) {
  const auto t = *made_up_database(facts + rows).read();
  const auto forward = t.names.find("forward");
  ASSERT_TRUE(forward);
  int ranges = 0, marks = 0;
  for (trace::event_id e = 0; e < t.events.size(); ++e) {
    if (t.events.name[e] != *forward) continue;
    ranges += t.events.kind[e] == category::annotation && t.events.duration_ns[e] == 3'200;
    marks += t.events.kind[e] == category::mark && t.events.start_ns[e] == 850;
  }
  EXPECT_EQ(ranges, 1);
  EXPECT_EQ(marks, 1);
  const auto* gpu = t.facts_of(1);
  ASSERT_NE(gpu, nullptr);
  EXPECT_EQ(gpu->name, "MI300X");
  EXPECT_EQ(gpu->sms, 304);
  EXPECT_EQ(gpu->threads_per_sm, 2048);
  EXPECT_EQ(gpu->memory_bytes, 128);
  EXPECT_EQ(t.facts_of(0)->name, "gfx942");
  EXPECT_EQ(t.source.host, "mi300");
  ASSERT_EQ(t.memory.size(), 2U);
  EXPECT_EQ(t.memory[0].bytes, 1024);
  EXPECT_EQ(t.memory[1].bytes, -1024);
  EXPECT_EQ(t.memory[1].device, 1);
  ASSERT_EQ(t.kernel_metrics.size(), 1U);
  EXPECT_EQ(t.kernel_metrics[0].value, 3.5);
  EXPECT_EQ(t.names[t.kernel_metrics[0].metric], "SQ_WAVES");
}

// Newer databases keep places and times in tables of their own.
TEST(rocpd, reads_places_and_times_by_reference) {
  const auto t = *made_up_database(facts + R"(
CREATE TABLE "rocpd_track@"(id INTEGER PRIMARY KEY, pid, tid, agent_id, queue_id, stream_id, name_id);
INSERT INTO "rocpd_track@" VALUES (1,7,9,5,2,6,0),(2,7,9,NULL,NULL,NULL,0);
CREATE TABLE "rocpd_timestamp@"(id INTEGER PRIMARY KEY, value, phase, track_id);
INSERT INTO "rocpd_timestamp@" VALUES (1,1000,1,1),(2,1500,2,1),(3,900,1,2),(4,950,2,2);
CREATE TABLE "rocpd_kernel_dispatch@"(id INTEGER PRIMARY KEY, track_id, kernel_id, dispatch_id, start_id, end_id,
 workgroup_size_x, workgroup_size_y, workgroup_size_z, grid_size_x, grid_size_y, grid_size_z, event_id);
INSERT INTO "rocpd_kernel_dispatch@" VALUES (1,1,1,1,1,2,256,1,1,512,1,1,11),(2,1,1,1,77,78,256,1,1,512,1,1,11);
CREATE TABLE "rocpd_region@"(id INTEGER PRIMARY KEY, track_id, name_id, start_id, end_id, event_id);
INSERT INTO "rocpd_region@" VALUES (1,2,2,3,4,10);)")
                      .read();
  const auto works = t.works_of(1);
  ASSERT_EQ(works.size(), 2U);
  const auto& kernel = works[1];
  EXPECT_EQ(kernel.start_ns, 1'000);
  EXPECT_EQ(kernel.duration_ns(), 500);
  EXPECT_EQ(kernel.stream, 6);
  ASSERT_NE(kernel.launch, trace::none);
  EXPECT_EQ(t.events.start_ns[kernel.launch], 900);
  EXPECT_EQ(t.quality.count(trace::flaw::unreadable_event), 1U);  // a time that is not in the table
}

TEST(rocpd, keeps_the_processes_of_a_merged_database_apart) {
  const auto one = facts + rows;
  std::string both;
  for (const auto* guid : {"_a", "_b"}) {
    auto sql = one;
    for (auto at = sql.find('@'); at != std::string::npos; at = sql.find('@', at)) sql.replace(at, 1, guid);
    if (guid == std::string("_b")) {
      const std::string was = "VALUES (7,3,77,";
      sql.replace(sql.find(was), was.size(), "VALUES (7,3,99,");
    }
    both += sql;
  }
  const auto t = *made_up_database(both).read();
  ASSERT_EQ(t.works_of(1).size(), 4U);
  EXPECT_EQ(t.devices.size(), 2U);
  for (const auto& w : t.works_of(1)) {
    if (w.kind != category::kernel) continue;
    ASSERT_NE(w.launch, trace::none);
    EXPECT_EQ(t.tracks[t.events.track[w.launch]].process, w.process);
  }
}

TEST(rocpd, never_runs_a_view_of_a_known_name) {
  const auto t = *made_up_database(facts + R"(
CREATE VIEW "rocpd_region@" AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n)
 SELECT i AS id, 7 AS pid, 9 AS tid, i AS start, i AS "end", 2 AS name_id, 10 AS event_id FROM n;)")
                      .read();
  EXPECT_EQ(t.events.size(), 0U);
}

TEST(rocpd, stands_times_that_cannot_be_and_a_cut) {
  const auto t = *made_up_database(facts + R"(
CREATE TABLE "rocpd_region@"(id INTEGER PRIMARY KEY, pid, tid, start, "end", name_id, event_id);
INSERT INTO "rocpd_region@" VALUES (1,7,9,9223372036854775807,-9223372036854775808,2,10),(2,7,9,20,10,2,10);)")
                      .read();
  EXPECT_EQ(t.quality.count(trace::flaw::unreadable_event), 1U);
  EXPECT_EQ(t.quality.count(trace::flaw::negative_duration), 1U);
  const made_up_database whole(facts + rows);
  std::filesystem::resize_file(whole.path(), std::filesystem::file_size(whole.path()) / 2);
  const auto cut = whole.read();
  if (!cut.ok()) {
    EXPECT_NE(cut.why().message.find("SQLite"), std::string::npos);
  } else {
    EXPECT_TRUE(cut->quality.truncated());
  }
}

TEST(rocpd, stops_at_the_memory_that_is_allowed_and_refuses_other_databases) {
  const auto some = made_up_database(facts + rows).read({.memory_bytes = 24 * 256});
  ASSERT_TRUE(some.ok());
  EXPECT_GE(some->quality.count(trace::flaw::over_limit), 1U);
  const auto other = made_up_database("CREATE TABLE music(title)").read();
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.why().remedy.find("rocprofv3"), std::string::npos);
}

}  // namespace
}  // namespace ridge::backends::trace_rocpd
