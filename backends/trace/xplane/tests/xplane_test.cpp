// SPDX-License-Identifier: Apache-2.0
#include "xplane.hpp"

#include <gtest/gtest.h>

#include <string>

#include <ridge/trace/steps.hpp>

#include "made_up_space.hpp"

namespace ridge::backends::trace_xplane {
namespace {

using trace::category;

// A GPU with a kernel, a copy, a fill and an allocation on one stream and a kernel on another.
made_up_plane gpu() {
  made_up_plane p("/device:GPU:1");
  p.fact(p.stat("core_count", 132))
      .fact(p.stat("compute_cap_major", 9))
      .fact(p.stat("memory_size", 85))
      .fact(p.stat("clock_rate", 1'980'000))
      .fact(p.inline_stat("device_type_string", "NVIDIA H100"));
  p.line(
      13, "Stream #13(Kernel,MemcpyH2D)", 1'000,
      {p.event("fusion_7", 2'500'999, 1'000'001,
               {p.stat("correlation_id", 41), p.stat("hlo_op", "fusion.7"), p.stat("hlo_module", "jit_step"),
                p.inline_stat("context_id", "$$1"), p.stat("cuda_graph_node_id", 77),
                p.stat("kernel_details",
                       "regs:32 static_shared:16 dynamic_shared:1024 grid:4,2,1 block:256,1,1 occ_pct:50")}),
       p.event("gemm", 3'600'000, 400'000, {p.stat("hlo_op", "fusion.7"), p.stat("hlo_module", "jit_step")}),
       p.event("MemcpyH2D", 5'000'000, 500'000,
               {p.stat("correlation_id", 42),
                p.stat("memcpy_details", "kind_src:pinned kind_dst:device size:4096 dest:0 async:1")}),
       p.event("Memset", 6'000'000, 10'000,
               {p.inline_stat("Memset_details", "kind:device num_bytes:64 async:1")}),
       p.event("MemoryAlloc", 7'000'000, 1'000, {p.stat("memalloc_details", "kind:device num_bytes:64")})});
  p.line(20, "Stream #20(Kernel)", 1'000, {p.event("ncclDevKernel_AllReduce", 0, 2'000'000)});
  p.line(31, "XLA Modules", 1'000, {p.event("jit_step(1)", 2'500'000, 1'500'000)});
  return p;
}

made_up_plane host() {
  made_up_plane p("/host:CPU");
  p.line(500, "python", 900,
         {p.event("train", 0, 9'000'000, {p.stat("step_num", 12)}), p.event("load batch", 100'000, 200'000),
          p.event("$train.py:42 step", 0, 8'000'000),
          p.event("PjRtCApiLoadedExecutable::Execute", 400'000, 900'000, {p.stat("_pt", 3), p.stat("_p", 8)}),
          p.event("cuLaunchKernelEx", 500'000, 100'000, {p.stat("correlation_id", 41)})});
  p.line(501, "worker", 900, {p.event("thunk", 700'000, 1'000, {p.stat("_ct", 3), p.stat("_c", 8)})});
  return p;
}

std::string space_of(const std::initializer_list<made_up_plane>& planes) {
  wire_writer s;
  for (const auto& p : planes) s.text(1, p.bytes());
  return s.text(4, "node7").bytes();
}

result<trace::trace> read(std::string_view bytes, const trace::read_limits& limits = {}) {
  return xplane().read(*trace::source_of(bytes), {.path = "a.xplane.pb"}, limits);
}

trace::event_id event_called(const trace::trace& t, std::string_view name, category kind) {
  for (trace::event_id e = 0; e < t.events.size(); ++e) {
    if (t.name_of(e) == name && t.events.kind[e] == kind) return e;
  }
  ADD_FAILURE() << "no event " << name;
  return 0;
}

TEST(xplane, reads_device_work_with_its_times_and_details) {
  const auto t = *read(space_of({gpu(), host()}));
  const auto works = t.works_of(1);
  ASSERT_EQ(works.size(), 5U);
  const auto& kernel = works[1];
  EXPECT_EQ(t.names[kernel.name], "fusion_7");
  EXPECT_EQ(kernel.start_ns, 1'000 + 2'500);  // 2500.999 ns, cut
  EXPECT_EQ(kernel.end_ns, 1'000 + 3'501);    // 3501.000 ns
  EXPECT_EQ(kernel.stream, 13);
  EXPECT_EQ(kernel.context, 1U);
  EXPECT_EQ(kernel.graph_node, 77U);
  EXPECT_EQ(kernel.registers, 32);
  EXPECT_EQ(kernel.shared_bytes, 1040U);
  EXPECT_EQ(kernel.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(kernel.block[0], 256U);
  EXPECT_EQ(kernel.occupancy, 0.5F);
  EXPECT_EQ(works[0].stream, 20);
  EXPECT_EQ(works[3].kind, category::copy);
  EXPECT_EQ(works[3].copy, trace::copy_kind::host_to_device);
  EXPECT_EQ(works[3].source, trace::memory_kind::pinned);
  EXPECT_EQ(works[3].destination, trace::memory_kind::device);
  EXPECT_EQ(works[3].bytes, 4096);
  EXPECT_EQ(works[4].kind, category::fill);
  EXPECT_EQ(works[4].bytes, 64);
}

TEST(xplane, joins_kernels_to_their_launches_and_to_operators) {
  const auto t = *read(space_of({gpu(), host()}));
  const auto& kernel = t.works_of(1)[1];
  ASSERT_NE(kernel.launch, trace::none);
  EXPECT_EQ(t.name_of(kernel.launch), "cuLaunchKernelEx");
  EXPECT_EQ(t.events.start_ns[kernel.launch], 900 + 500);
  const auto over = event_called(t, "jit_step/fusion.7", category::device_annotation);
  EXPECT_EQ(t.events.start_ns[over], 3'500);
  EXPECT_EQ(t.events.end_ns(over), 1'000 + 4'000);  // both kernels of it
  event_called(t, "jit_step(1)", category::device_annotation);
  event_called(t, "MemoryAlloc", category::other);
}

TEST(xplane, reads_threads_frames_steps_and_arrows) {
  const auto t = *read(space_of({gpu(), host()}));
  event_called(t, "load batch", category::annotation);
  event_called(t, "PjRtCApiLoadedExecutable::Execute", category::op);
  const auto frame = event_called(t, "train.py(42): step", category::python);
  EXPECT_EQ(t.tracks[t.events.track[frame]].kind, trace::track_kind::python);
  const auto step = event_called(t, "train step 12", category::annotation);
  EXPECT_EQ(t.tracks[t.events.track[step]].name, "python");
  EXPECT_EQ(t.tracks[t.events.track[step]].thread, 500);
  EXPECT_EQ(t.events.duration_ns[step], 9'000);
  ASSERT_EQ(t.flows.size(), 1U);
  EXPECT_EQ(t.flows[0].from_ns, 900 + 400);
  EXPECT_EQ(t.tracks[t.flows[0].to_track].thread, 501);
  EXPECT_EQ(t.source.host, "node7");
}

TEST(xplane, finds_the_steps_that_threads_or_else_devices_mark) {
  made_up_plane marks("/host:CPU");
  marks.line(1, "python", 0,
             {marks.event("train", 0, 1'000'000, {marks.stat("step_num", 4)}),
              marks.event("train", 1'000'000, 1'000'000, {marks.stat("step_num", 5)})});
  const auto by_host = *read(space_of({marks}));
  EXPECT_EQ(trace::steps_of(by_host).steps.at(1).number, 5);
  made_up_plane tpu("/device:TPU:0");
  tpu.line(1, "Steps", 0, {tpu.event("7", 0, 1'000'000), tpu.event("8", 1'000'000, 1'000'000)});
  const auto by_device = *read(space_of({tpu}));
  ASSERT_EQ(trace::steps_of(by_device).steps.size(), 2U);
  EXPECT_EQ(trace::steps_of(by_device).steps[0].number, 7);
  EXPECT_EQ(trace::steps_of(*read(space_of({tpu, marks}))).steps[0].number, 4);
}

TEST(xplane, takes_the_operators_of_a_tpu_that_hold_no_others_for_its_work) {
  made_up_plane tpu("/device:TPU:0");
  tpu.line(2, "XLA Ops", 0,
           {tpu.event("while.1", 0, 10'000'000), tpu.event("fusion.2", 1'000'000, 2'000'000),
            tpu.event("all-reduce.3", 4'000'000, 6'000'000), tpu.event("convert.4", 11'000'000, 1'000'000)});
  tpu.line(3, "Async XLA Ops", 0, {tpu.event("copy-start.5", 500'000, 3'000'000)});
  const auto t = *read(space_of({tpu}));
  const auto works = t.works_of(0);
  ASSERT_EQ(works.size(), 4U);
  EXPECT_EQ(t.names[works[0].name], "copy-start.5");
  EXPECT_EQ(works[0].kind, category::copy);
  EXPECT_EQ(t.names[works[1].name], "fusion.2");
  EXPECT_EQ(t.names[works[2].name], "all-reduce.3");
  EXPECT_EQ(works[2].duration_ns(), 6'000);
  event_called(t, "while.1", category::device_annotation);
}

TEST(xplane, reads_facts_and_counters_of_devices_and_the_start_of_the_profile) {
  made_up_plane counters("/device:GPU:0");
  counters.line(9, "_counters_", 50,
                {counters.event("power", 1'000, 0, {counters.stat("counter_value", 250)})});
  made_up_plane task("Task Environment");
  task.fact(task.stat("profile_start_time", 1'700'000'000'000'000'000));
  const auto t = *read(space_of({gpu(), counters, task}));
  const auto* facts = t.facts_of(1);
  ASSERT_NE(facts, nullptr);
  EXPECT_EQ(facts->name, "NVIDIA H100");
  EXPECT_EQ(facts->sms, 132);
  EXPECT_EQ(facts->compute_major, 9);
  EXPECT_EQ(facts->clock_hz, 1.98e9);
  EXPECT_EQ(t.epoch_ns, 1'700'000'000'000'000'000);
  ASSERT_EQ(t.counter_values.size(), 1U);
  EXPECT_EQ(t.counter_values[0].time_ns, 51);
  EXPECT_EQ(t.counter_values[0].value, 250);
  EXPECT_EQ(t.names[t.counters[0].name], "power");
}

TEST(xplane, is_told_from_other_protocol_buffers_and_texts) {
  EXPECT_TRUE(xplane().recognises(space_of({gpu()})));
  EXPECT_TRUE(xplane().recognises(space_of({gpu()}).substr(0, 24)));
  EXPECT_TRUE(xplane().recognises(wire_writer().message(1, wire_writer().text(2, "/host:CPU")).bytes()));
  const auto packet = wire_writer().number(8, 5).number(10, 1);
  EXPECT_FALSE(xplane().recognises(wire_writer().message(1, packet).bytes()));
  EXPECT_FALSE(xplane().recognises(wire_writer().message(1, wire_writer().message(60, packet)).bytes()));
  EXPECT_FALSE(xplane().recognises("\n{\"traceEvents\": []}"));
  EXPECT_FALSE(xplane().recognises(""));
}

TEST(xplane, gives_what_stands_before_every_cut) {
  const auto whole = space_of({host(), gpu()});
  std::size_t before = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto cut = read(std::string_view(whole).substr(0, length));
    if (!cut.ok()) {
      EXPECT_NE(cut.why().message.find("a.xplane.pb"), std::string::npos);
      continue;
    }
    EXPECT_GE(cut->events.size(), before) << length;
    before = cut->events.size();
  }
  EXPECT_EQ(before, read(whole)->events.size());
}

TEST(xplane, counts_events_whose_times_cannot_be) {
  made_up_plane p("/device:GPU:0");
  const auto most = std::uint64_t{1} << 63;
  p.line(1, "Stream #1", 10,
         {p.event("a", most - 1, most - 1), p.event("b", 5, most), p.event("c", 1'000, 1'000)});
  p.line(2, "Stream #2", most, {p.event("d", 0, 1)});
  const auto t = *read(space_of({p}));
  ASSERT_EQ(t.works.size(), 1U);
  EXPECT_EQ(t.works[0].start_ns, 11);
  EXPECT_EQ(t.quality.count(trace::flaw::unreadable_event), 2U);
  EXPECT_EQ(t.quality.count(trace::flaw::negative_duration), 1U);
}

TEST(xplane, stops_at_the_memory_that_is_allowed) {
  const auto bytes = space_of({gpu(), host()});
  const auto refused = read(bytes, {.memory_bytes = 100});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.why().remedy.find("--max-memory"), std::string::npos);
  const auto cut = read(bytes, {.memory_bytes = bytes.size()});
  ASSERT_TRUE(cut.ok());
  EXPECT_EQ(cut->quality.count(trace::flaw::over_limit), 1U);
}

}  // namespace
}  // namespace ridge::backends::trace_xplane
