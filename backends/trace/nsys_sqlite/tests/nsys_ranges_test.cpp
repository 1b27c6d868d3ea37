// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "made_up_export.hpp"

namespace ridge::backends::trace_nsys_sqlite {
namespace {

using trace::category;

constexpr auto schema = R"(
CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT);
INSERT INTO StringIds VALUES (40,'step');
CREATE TABLE NVTX_EVENTS(start,end,eventType,rangeId,category,color,text,globalTid,endGlobalTid,textId,domainId);
)";

trace::trace with(const std::string& rows) {
  return made_up_export(
             schema +
             ("INSERT INTO NVTX_EVENTS(start,end,eventType,text,globalTid,textId,domainId) VALUES " + rows))
      .read();
}

TEST(nsys_ranges, keeps_inline_texts_ids_marks_and_domains) {
  const auto t = with(
      "(0,100,59,'forward',(7<<24)|3,NULL,0),(200,300,59,NULL,(7<<24)|3,40,0),"
      "(250,NULL,34,'here',(7<<24)|3,NULL,0),"
      "(5,NULL,75,'NCCL',(7<<24)|4,NULL,1),(260,280,59,'ncclAllReduce',(7<<24)|3,NULL,1)");
  ASSERT_EQ(t.events.size(), 4U);
  EXPECT_EQ(t.events.kind[event_called(t, "forward")], category::annotation);
  EXPECT_EQ(t.events.duration_ns[event_called(t, "step")], 100);
  const auto mark = event_called(t, "here");
  EXPECT_EQ(t.events.kind[mark], category::mark);
  EXPECT_EQ(t.events.flags[mark] & trace::flag_instant, trace::flag_instant);
  EXPECT_EQ(t.events.start_ns[event_called(t, "NCCL:ncclAllReduce")], 260);
}

TEST(nsys_ranges, puts_ranges_that_need_not_nest_on_a_track_of_their_own) {
  const auto t = with("(0,100,59,'nested',(7<<24)|3,NULL,0),(50,150,60,'crossing',(7<<24)|3,NULL,0)");
  const auto nested = t.events.track[event_called(t, "nested")],
             crossing = t.events.track[event_called(t, "crossing")];
  EXPECT_EQ(t.tracks[nested].kind, trace::track_kind::thread);
  EXPECT_EQ(t.tracks[crossing].kind, trace::track_kind::other);
  EXPECT_EQ(t.tracks[crossing].thread, 3);
}

TEST(nsys_ranges, reads_operators_from_what_the_framework_writes) {
  const auto t = with(
      "(0,10,59,'aten::mm, seq = 12, op_id = 99, sizes = [[2, 3], [3, 4]]',(7<<24)|3,NULL,0),"
      "(20,30,59,'aten::view, op_id = 100',(7<<24)|3,NULL,0)");
  const auto mm = event_called(t, "aten::mm");
  EXPECT_EQ(t.events.kind[mm], category::op);
  EXPECT_EQ(t.ops[t.events.detail[mm]].sequence, 12);
  EXPECT_EQ(t.names[t.ops[t.events.detail[mm]].input_dims], "[[2, 3], [3, 4]]");
  EXPECT_EQ(t.ops[t.events.detail[event_called(t, "aten::view")]].sequence, -1);
}

TEST(nsys_ranges, ends_an_open_range_where_the_last_one_ends_and_counts_it) {
  const auto t = with("(10,NULL,59,'open',(7<<24)|3,NULL,0),(20,500,59,'last',(7<<24)|3,NULL,0)");
  EXPECT_EQ(t.events.duration_ns[event_called(t, "open")], 490);
  EXPECT_EQ(t.quality.count(trace::flaw::unmatched_begin), 1U);
}

}  // namespace
}  // namespace ridge::backends::trace_nsys_sqlite
