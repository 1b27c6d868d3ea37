// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/hta_semantics.hpp>

#include "made_up.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

using trace::category;
using trace::flaw;

TEST(chrome_json, reads_members_in_any_order_and_spacing) {
  const std::string minified =
      R"({"ph":"X","cat":"cpu_op","name":"aten::mm","pid":7,"tid":8,"ts":1.5,"dur":2,"args":{"External id":5}})";
  const std::string spread =
      "{ \"args\" : {\r\n\t\"External id\" :\t5 } ,\n \"dur\" : \"2\", \"tid\": \"8\",\n"
      "\"ts\":15e-1 ,\"name\": \"aten::mm\",\"pid\":7,\"ph\":\"X\" , \"cat\" : \"cpu_op\" }";
  for (const auto& text : {minified, spread}) {
    const auto t = read_events(text);
    ASSERT_EQ(t.events.size(), 1U);
    EXPECT_EQ(t.name_of(0), "aten::mm");
    EXPECT_EQ(t.events.kind[0], category::op);
    EXPECT_EQ(t.events.start_ns[0], 1500);
    EXPECT_EQ(t.events.duration_ns[0], 2000);
    EXPECT_EQ(t.events.external[0], 5U);
    EXPECT_EQ(t.processes[0].id, 7);
    EXPECT_EQ(t.tracks[0].thread, 8);
  }
}

TEST(chrome_json, offset_is_where_the_event_stands) {
  const std::string text = R"({"traceEvents":[ {"ph":"X","name":"a","ts":1,"dur":1}]})";
  EXPECT_EQ(read(text).events.offset[0], text.find("{\"ph\""));
}

TEST(chrome_json, kernel_knows_its_launch_and_shape) {
  const auto t = read_events(
      R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":9,"tid":9,"ts":1,"dur":3,"args":{"correlation":44,"External id":3}},)"
      R"({"ph":"X","cat":"cpu_op","name":"aten::add","pid":9,"tid":9,"ts":0,"dur":5,"args":{"External id":3}},)"
      R"({"ph":"X","cat":"kernel","name":"k","pid":1,"tid":7,"ts":10,"dur":4,"args":{"device":1,"stream":20,"correlation":44,)"
      R"("grid":[2,3,4],"block": [32, 1, 1],"registers per thread":40,"shared memory":1024,"blocks per SM":0.5,)"
      R"("warps per SM":2,"est. achieved occupancy %":50,"graph id":6,"graph node id":281474976710657,"context":2}})");
  ASSERT_EQ(t.works.size(), 1U);
  const auto& w = t.works[0];
  EXPECT_EQ(t.name_of(w.launch), "cudaLaunchKernel");
  EXPECT_EQ(t.name_of(w.op), "aten::add");
  EXPECT_EQ(w.device, 1);
  EXPECT_EQ(w.stream, 20);
  EXPECT_EQ(w.grid, (std::array<std::uint32_t, 3>{2, 3, 4}));
  EXPECT_EQ(w.block, (std::array<std::uint32_t, 3>{32, 1, 1}));
  EXPECT_EQ(w.registers, 40);
  EXPECT_EQ(w.shared_bytes, 1024U);
  EXPECT_EQ(w.blocks_per_sm, 0.5F);
  EXPECT_EQ(w.occupancy, 0.5F);
  EXPECT_EQ(w.graph, 6U);
  EXPECT_EQ(w.graph_node, 281474976710657U);
  EXPECT_EQ(w.context, 2U);
}

TEST(chrome_json, texts_as_ids_get_stable_numbers_and_names) {
  const auto t =
      read_events(R"({"ph":"X","cat":"Trace","name":"a","pid":"Spans","tid":"PyTorch","ts":1,"dur":1},)"
                  R"({"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":1,"dur":1},)"
                  R"({"ph":"X","cat":"Trace","name":"b","pid":"Spans","tid":"PyTorch","ts":2,"dur":1})");
  ASSERT_EQ(t.tracks.size(), 2U);
  EXPECT_EQ(t.tracks[0].count, 2U);
  EXPECT_EQ(t.tracks[0].name, "PyTorch");
  EXPECT_EQ(t.processes[0].name, "Spans");
  EXPECT_GT(t.processes[0].id, 0xffffffff);
  EXPECT_EQ(t.works[0].stream, 7);
}

TEST(chrome_json, begins_meet_their_ends) {
  const auto t = read_events(
      R"({"ph":"B","name":"out","pid":1,"tid":1,"ts":1},{"ph":"B","name":"in","pid":1,"tid":1,"ts":2},)"
      R"({"ph":"E","pid":1,"tid":1,"ts":5},{"ph":"E","pid":1,"tid":1,"ts":9},)"
      R"({"ph":"E","pid":1,"tid":1,"ts":10},{"ph":"B","name":"left","pid":1,"tid":1,"ts":11},)"
      R"({"ph":"X","name":"x","pid":1,"tid":1,"ts":12,"dur":3})");
  ASSERT_EQ(t.events.size(), 4U);
  EXPECT_EQ(t.name_of(0), "out");
  EXPECT_EQ(t.events.duration_ns[0], 8000);
  EXPECT_EQ(t.name_of(1), "in");
  EXPECT_EQ(t.events.duration_ns[1], 3000);
  EXPECT_EQ(t.name_of(2), "left");
  EXPECT_EQ(t.events.duration_ns[2], 4000);
  EXPECT_EQ(t.quality.count(flaw::unmatched_end), 1U);
  EXPECT_EQ(t.quality.count(flaw::unmatched_begin), 1U);
}

TEST(chrome_json, counters_are_a_series_a_member) {
  const auto t =
      read_events(R"({"ph":"C","name":"GPU","pid":0,"ts":2,"args":{"used":2.5,"free":1,"note":"x"}},)"
                  R"({"ph":"C","name":"GPU","pid":0,"ts":1,"args":{"used":7}})");
  ASSERT_EQ(t.counters.size(), 2U);
  EXPECT_EQ(t.names[t.counters[0].name], "GPU: used");
  EXPECT_EQ(t.names[t.counters[1].name], "GPU: free");
  ASSERT_EQ(t.counter_values.size(), 3U);
  EXPECT_EQ(t.counter_values[0].value, 7);
  EXPECT_EQ(t.counter_values[1].value, 2.5);
}

TEST(chrome_json, flows_join_whichever_end_comes_first) {
  const auto t = read_events(R"({"ph":"f","cat":"fwdbwd","id":3,"pid":1,"tid":2,"ts":9,"bp":"e"},)"
                             R"({"ph":"s","cat":"fwdbwd","id":3,"pid":1,"tid":1,"ts":4},)"
                             R"({"ph":"s","cat":"ac2g","id":3,"pid":1,"tid":1,"ts":4})");
  ASSERT_EQ(t.flows.size(), 1U);
  EXPECT_EQ(t.flows[0].from_ns, 4000);
  EXPECT_EQ(t.flows[0].to_ns, 9000);
}

TEST(chrome_json, without_correlations_arrows_join_launch_and_work) {
  const auto t = read_events(
      R"({"ph":"X","cat":"Runtime","name":"cudaLaunchKernel","pid":9,"tid":"9","ts":1,"dur":3},)"
      R"({"ph":"s","cat":"async","name":"launch","id":12,"pid":9,"tid":9,"ts":1},)"
      R"({"ph":"X","cat":"Kernel","name":"k","pid":0,"tid":"stream 7","ts":8,"dur":3},)"
      R"({"ph":"f","cat":"async","name":"launch","id":12,"pid":0,"tid":"stream 7","ts":8,"bp":"e"})");
  ASSERT_EQ(t.works.size(), 1U);
  ASSERT_NE(t.works[0].launch, trace::none);
  EXPECT_EQ(t.name_of(t.works[0].launch), "cudaLaunchKernel");
}

TEST(chrome_json, a_correlation_of_zero_joins_where_one_call_has_it) {
  const std::string
      call =
          R"({"ph":"X","cat":"cuda_runtime","name":"c","pid":9,"tid":9,"ts":1,"dur":3,"args":{"correlation":0}},)",
      kernel =
          R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":8,"dur":3,"args":{"correlation":0}})";
  EXPECT_NE(read_events(call + kernel).works[0].launch, trace::none);
  EXPECT_EQ(read_events(call + call + kernel).works[0].launch, trace::none);
}

TEST(chrome_json, collectives_and_synchronizations_keep_what_they_say) {
  const auto t = read_events(
      R"({"ph":"X","cat":"kernel","name":"ncclKernel","pid":0,"tid":7,"ts":1,"dur":1,"args":{"Collective name":"allreduce",)"
      R"("In msg nelems":10,"Out msg nelems":20,"Group size":8,"dtype":"BFloat16","Process Group Name":"0",)"
      R"("Process Group Ranks":"[0, 1]","Seq":5,"Is asynchronized op":true}},)"
      R"({"ph":"X","cat":"cuda_sync","name":"Event Sync","pid":0,"tid":7,"ts":1,"dur":1,"args":{"cuda_sync_kind":"Stream Wait Event",)"
      R"("stream":7,"device":0,"wait_on_stream":20,"wait_on_cuda_event_record_corr_id":99}})");
  ASSERT_EQ(t.collectives.size(), 1U);
  const auto& c = t.collectives[t.works[0].collective];
  EXPECT_EQ(t.names[c.operation], "allreduce");
  EXPECT_EQ(t.names[c.ranks], "[0, 1]");
  EXPECT_EQ(c.group_size, 8U);
  EXPECT_EQ(c.sequence, 5);
  EXPECT_EQ(c.asynchronous, 1U);
  EXPECT_EQ(t.syncs[0].kind, trace::sync_kind::stream_wait_event);
  EXPECT_EQ(t.syncs[0].wait_on_stream, 20);
  EXPECT_EQ(t.syncs[0].wait_on_correlation, 99U);
}

// CUPTI's number of no stream, which HTA counts as the number of one; -1 is no number at all.
TEST(chrome_json, waits_for_all_streams_are_device_work_for_hta_and_those_of_no_stream_are_not) {
  const auto with_wait_of = [](const std::string& stream) {
    return read_events(
        R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":1,"args":{"stream":7}},)"
        R"({"ph":"X","cat":"cuda_sync","name":"Context Sync","pid":0,"tid":7,"ts":5,"dur":3,)"
        R"("args":{"cuda_sync_kind":"Context Sync","device":0,"stream":)" +
        stream + "}}");
  };
  const auto all = with_wait_of("4294967295"), none = with_wait_of("-1");
  EXPECT_EQ(all.syncs[0].stream, trace::every_stream);
  EXPECT_EQ(none.syncs[0].stream, -1);
  EXPECT_EQ(trace::hta_figures_of(all).temporal.kernel_ns, 7000);
  EXPECT_EQ(trace::hta_figures_of(none).temporal.kernel_ns, 1000);
}

TEST(chrome_json, escaped_names_are_read_once_and_broken_ones_counted) {
  const auto t = read_events(
      R"({"ph":"X","name":"a\"b\u00e9","ts":1,"dur":1},{"ph":"X","name":"a\"b\u00e9","ts":2,"dur":1},)"
      "{\"ph\":\"X\",\"name\":\"\xff\",\"ts\":3,\"dur\":1}");
  EXPECT_EQ(t.name_of(0), "a\"b\u00e9");
  EXPECT_EQ(t.events.name[0], t.events.name[1]);
  EXPECT_EQ(t.name_of(2), "\xef\xbf\xbd");
  EXPECT_EQ(t.quality.count(flaw::bad_text), 1U);
}

TEST(chrome_json, says_what_the_root_says_before_and_behind_the_events) {
  const auto t = read(
      R"({"schemaVersion":1,"baseTimeNanoseconds":1700000000000000000,"traceEvents":[],)"
      R"("distributedInfo":{"rank":3,"world_size":8,"pg_config":[{"pg_name":"0","pg_desc":"dp","ranks":[0,3]}]},)"
      R"("deviceProperties":[{"id":0,"name":"H200","numSms":132,"computeMajor":9}],"cuda_runtime_version":12040})");
  EXPECT_EQ(t.epoch_ns, 1'700'000'000'000'000'000);
  EXPECT_EQ(t.source.rank, 3);
  EXPECT_EQ(t.source.world_size, 8);
  EXPECT_EQ(t.source.producer, "kineto, CUDA 12.4");
  ASSERT_EQ(t.groups.size(), 1U);
  EXPECT_EQ(t.groups[0].ranks, (std::vector<int>{0, 3}));
  EXPECT_EQ(t.devices.at(0).sms, 132);
}

}  // namespace
}  // namespace ridge::backends::trace_chrome_json
