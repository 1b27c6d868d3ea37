// SPDX-License-Identifier: Apache-2.0
#include "pftrace.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include <isa-l/igzip_lib.h>

#include <ridge/trace/steps.hpp>

#include "made_up_packets.hpp"

namespace ridge::backends::trace_pftrace {
namespace {

using trace::category;

result<trace::trace> read(std::string_view bytes, const trace::read_limits& limits = {}) {
  return pftrace().read(*trace::source_of(bytes), {.path = "a.pftrace"}, limits);
}

trace::event_id event_called(const trace::trace& t, std::string_view name) {
  for (trace::event_id e = 0; e < t.events.size(); ++e) {
    if (t.name_of(e) == name) return e;
  }
  ADD_FAILURE() << "no event " << name;
  return 0;
}

// Two steps; a launch with its kernel and a copy, as PyTorch writes them: all begins, then all ends.
made_up_trace kineto() {
  made_up_trace t;
  t.process(1, 77, "python").thread(2, 77, 78, "main").thread(3, 0, 7, "stream 7");
  const auto kernel = begin(3, "kernel", "gemm")
                          .message(4, annotation("device", 1))
                          .message(4, annotation("stream", 7))
                          .message(4, annotation("correlation", 41))
                          .message(4, annotation("External id", 5))
                          .message(4, annotation("grid", {4, 2, 1}))
                          .message(4, annotation("block", {256, 1, 1}))
                          .message(4, annotation("registers per thread", 32))
                          .message(4, annotation("shared memory", 1024));
  const auto copy = begin(3, "gpu_memcpy", "Memcpy HtoD (Pinned -> Device)")
                        .message(4, annotation("device", 1))
                        .message(4, annotation("stream", 7))
                        .message(4, annotation("correlation", 42))
                        .message(4, annotation("bytes", 4096));
  t.event(1'000, begin(2, "user_annotation", "ProfilerStep#3"))
      .event(2'000, begin(2, "user_annotation", "ProfilerStep#4"))
      .event(1'100, begin(2, "cpu_op", "aten::mm")
                        .message(4, annotation("External id", 5))
                        .message(4, annotation("Input Dims", {8, 8})))
      .event(1'200, begin(2, "cuda_runtime", "cudaLaunchKernel").message(4, annotation("correlation", 41)));
  for (const auto time : {2'000, 3'000, 1'500, 1'300}) t.event(static_cast<std::uint64_t>(time), end(2));
  t.event(1'400, kernel).event(1'900, copy).event(1'900, end(3)).event(1'950, end(3));
  return t;
}

TEST(pftrace, pairs_begins_and_ends_that_were_written_in_groups) {
  const auto t = *read(kineto().bytes());
  const auto works = t.works_of(1);
  ASSERT_EQ(works.size(), 2U);
  EXPECT_EQ(t.names[works[0].name], "gemm");
  EXPECT_EQ(works[0].start_ns, 1'400);
  EXPECT_EQ(works[0].end_ns, 1'900);
  EXPECT_EQ(works[1].start_ns, 1'900);
  EXPECT_EQ(works[1].end_ns, 1'950);
  const auto op = event_called(t, "aten::mm");
  EXPECT_EQ(t.events.duration_ns[op], 400);
  const auto steps = trace::steps_of(t).steps;
  ASSERT_EQ(steps.size(), 2U);
  EXPECT_EQ(steps[0].window, (trace::time_range{1'000, 2'000}));
  EXPECT_EQ(steps[1].number, 4);
}

TEST(pftrace, joins_work_to_its_launch_and_operator_and_keeps_its_arguments) {
  const auto t = *read(kineto().bytes());
  const auto& kernel = t.works_of(1)[0];
  ASSERT_NE(kernel.launch, trace::none);
  EXPECT_EQ(t.name_of(kernel.launch), "cudaLaunchKernel");
  ASSERT_NE(kernel.op, trace::none);
  EXPECT_EQ(t.name_of(kernel.op), "aten::mm");
  EXPECT_EQ(t.names[t.ops[t.events.detail[kernel.op]].input_dims], "[8, 8]");
  EXPECT_EQ(kernel.stream, 7);
  EXPECT_EQ(kernel.grid, (std::array<std::uint32_t, 3>{4, 2, 1}));
  EXPECT_EQ(kernel.block[0], 256U);
  EXPECT_EQ(kernel.registers, 32);
  EXPECT_EQ(kernel.shared_bytes, 1024U);
  const auto& copy = t.works_of(1)[1];
  EXPECT_EQ(copy.kind, category::copy);
  EXPECT_EQ(copy.copy, trace::copy_kind::host_to_device);
  EXPECT_EQ(copy.source, trace::memory_kind::pinned);
  EXPECT_EQ(copy.bytes, 4096);
  const auto& thread = t.tracks[t.events.track[kernel.launch]];
  EXPECT_EQ(thread.thread, 78);
  EXPECT_EQ(thread.name, "main");
  EXPECT_EQ(t.processes[thread.process].name, "python");
}

// Names, categories, the track and the clock by numbers and defaults, as the SDK writes them; the clock
// counts microseconds from packet to packet.
made_up_trace interned() {
  made_up_trace t;
  t.thread(2, 77, 78, "main");
  const auto names = wire_writer()
                         .message(1, wire_writer().number(1, 4).text(2, "app"))
                         .message(2, wire_writer().number(1, 9).text(2, "load"))
                         .message(3, wire_writer().number(1, 1).text(2, "corr_id"));
  const auto snapshot = wire_writer()
                            .message(1, wire_writer().number(1, 64).number(2, 0).number(3, 1).number(4, 1000))
                            .message(1, wire_writer().number(1, 6).number(2, 5'000'000))
                            .message(1, wire_writer().number(1, 1).number(2, 1'700'000'000'000'000'000));
  t.packet(wire_writer()
               .number(10, 1)
               .number(13, 1)
               .message(6, snapshot)
               .message(12, names)
               .message(59, wire_writer().number(58, 64).message(11, wire_writer().number(11, 2))));
  const auto slice = wire_writer().number(9, 1).number(3, 4).number(10, 9);
  t.packet(wire_writer().number(8, 3).number(10, 1).number(13, 2).message(11, slice));
  t.packet(wire_writer().number(8, 7).number(10, 1).number(13, 2).message(11, wire_writer().number(9, 2)));
  return t;
}

TEST(pftrace, looks_up_names_tracks_and_clocks) {
  const auto t = *read(interned().bytes());
  ASSERT_EQ(t.events.size(), 1U);
  EXPECT_EQ(t.name_of(0), "load");
  EXPECT_EQ(t.events.start_ns[0], 5'000'000 + 3'000);
  EXPECT_EQ(t.events.duration_ns[0], 7'000);
  EXPECT_EQ(t.tracks[t.events.track[0]].thread, 78);
  EXPECT_EQ(t.epoch_ns, 1'700'000'000'000'000'000 - 5'000'000);
}

TEST(pftrace, leaves_out_what_lost_packets_would_explain) {
  auto t = interned();
  t.packet(wire_writer().number(10, 1).number(42, 1));
  t.packet(wire_writer().number(8, 1).number(10, 1).number(13, 2).message(
      11, wire_writer().number(9, 1).number(10, 9)));
  const auto made = *read(t.bytes());
  EXPECT_EQ(made.events.size(), 1U);
  EXPECT_EQ(made.quality.count(trace::flaw::dropped_records), 2U);
}

TEST(pftrace, nests_slices_of_the_sdk_and_marks_instants) {
  made_up_trace t;
  t.thread(2, 77, 78, "main");
  t.event(10, begin(2, "app", "outer")).event(20, begin(2, "app", "inner")).event(20, end(2));
  t.event(30, wire_writer().number(9, 3).number(11, 2).text(23, "now")).event(40, end(2)).event(50, end(2));
  t.event(60, begin(2, "app", "unfinished"));
  const auto made = *read(t.bytes());
  EXPECT_EQ(made.events.duration_ns[event_called(made, "outer")], 30);
  EXPECT_EQ(made.events.duration_ns[event_called(made, "inner")], 0);
  EXPECT_EQ(made.events.kind[event_called(made, "now")], category::mark);
  EXPECT_EQ(made.quality.count(trace::flaw::unmatched_end), 1U);
  EXPECT_EQ(made.quality.count(trace::flaw::unmatched_begin), 1U);
}

TEST(pftrace, puts_a_track_of_several_writers_in_the_order_of_time) {
  made_up_trace t;
  t.thread(2, 77, 78, "main");
  t.event(100, begin(2, "app", "late"))
      .event(110, begin(2, "app", "in late"))
      .event(120, end(2))
      .event(130, end(2));
  t.event(10, begin(2, "app", "early")).event(20, end(2));
  const auto made = *read(t.bytes());
  EXPECT_EQ(made.events.duration_ns[event_called(made, "late")], 30);
  EXPECT_EQ(made.events.duration_ns[event_called(made, "in late")], 10);
  EXPECT_EQ(made.events.duration_ns[event_called(made, "early")], 10);
}

// A launch that names the render stage it submitted, and the stage with its launch parameters.
made_up_trace with_stages() {
  made_up_trace t;
  t.thread(2, 77, 78, "main");
  const auto names = wire_writer()
                         .message(23, wire_writer().number(1, 5).number(2, 77))
                         .message(24, wire_writer().number(1, 1).text(2, "Kernel"))
                         .message(24, wire_writer().number(1, 2).text(2, "Memcpy"))
                         .message(24, wire_writer().number(1, 1007).text(2, "Stream #7"))
                         .message(1000, wire_writer().number(1, 3).text(2, "_Z4gemmv").text(3, "gemm()"))
                         .message(1001, wire_writer().number(1, 8).text(2, "registers_per_thread"));
  t.packet(wire_writer().number(10, 1).number(13, 1).message(12, names));
  t.event(100, begin(2, "cudart", "cudaLaunchKernel").message(3000, wire_writer().number(1, 900)))
      .event(110, end(2));
  const auto sides = [](std::uint64_t x) { return wire_writer().number(1, x).number(2, 1).number(3, 1); };
  const auto launch = wire_writer()
                          .message(1, sides(4))
                          .message(2, sides(128))
                          .message(3, wire_writer().number(1, 8).number(4, 40));
  const auto stage = [&](std::uint64_t id, std::uint64_t duration, std::uint64_t kind) {
    return wire_writer()
        .number(1, id)
        .number(2, duration)
        .number(11, 3)
        .number(13, 1007)
        .number(14, kind)
        .number(5, 5);
  };
  t.packet(wire_writer().number(8, 120).number(10, 1).number(13, 2).message(
      53, stage(900, 50, 1).number(19, 3).message(21, launch)));
  t.packet(wire_writer().number(8, 170).number(10, 1).number(13, 2).message(
      53, stage(901, 5, 2).text(17, "Memcpy DtoH").message(6, wire_writer().text(1, "bytes").text(2, "64"))));
  return t;
}

TEST(pftrace, reads_render_stages_as_work_of_a_device) {
  const auto t = *read(with_stages().bytes());
  const auto works = t.works_of(3);
  ASSERT_EQ(works.size(), 2U);
  EXPECT_EQ(t.names[works[0].name], "gemm()");
  EXPECT_EQ(works[0].start_ns, 120);
  EXPECT_EQ(works[0].duration_ns(), 50);
  EXPECT_EQ(works[0].stream, 7);
  EXPECT_EQ(works[0].grid[0], 4U);
  EXPECT_EQ(works[0].block[0], 128U);
  EXPECT_EQ(works[0].registers, 40);
  ASSERT_NE(works[0].launch, trace::none);
  EXPECT_EQ(t.name_of(works[0].launch), "cudaLaunchKernel");
  EXPECT_EQ(t.processes[works[0].process].id, 77);
  EXPECT_EQ(works[1].kind, category::copy);
  EXPECT_EQ(works[1].bytes, 64);
  EXPECT_EQ(works[1].copy, trace::copy_kind::device_to_host);
}

TEST(pftrace, counts_work_once_that_a_slice_and_a_stage_tell) {
  auto t = with_stages();
  t.thread(3, 3, 7, "stream 7");
  t.event(
       120,
       begin(3, "kernel", "gemm()").message(4, annotation("device", 3)).message(4, annotation("stream", 7)))
      .event(170, end(3));
  EXPECT_EQ(read(t.bytes())->works_of(3).size(), 2U);
}

TEST(pftrace, reads_what_rocprofv3_writes) {
  made_up_trace t;
  t.thread(2, 77, 77, "main")
      .track(8, 0, "COMPUTE AGENT [4] STREAM [2] (GPU)")
      .track(9, 0, "COPY to AGENT [0] STREAM [2] (CPU)");
  t.event(10, begin(2, "hip_api", "hipLaunchKernel").fixed(47, 5'000).message(4, annotation("corr_id", 31)))
      .event(15, end(2));
  t.event(20, begin(8, "kernel_dispatch", "gemm")
                  .fixed(47, 5'000)
                  .message(4, annotation("corr_id", 31))
                  .message(4, annotation("workgroup_size", 64))
                  .message(4, annotation("grid_size", 1000)))
      .event(90, end(8));
  t.event(95, begin(9, "memory_copy", "MEMORY_COPY_DEVICE_TO_HOST")
                  .message(4, annotation("copy_bytes", 128))
                  .message(4, annotation("src_agent", "Agent-4")))
      .event(99, end(9));
  const auto made = *read(t.bytes());
  const auto works = made.works_of(4);
  ASSERT_EQ(works.size(), 2U);
  EXPECT_EQ(works[0].stream, 2);
  EXPECT_EQ(works[0].grid[0], 16U);
  EXPECT_EQ(works[0].block[0], 64U);
  ASSERT_NE(works[0].launch, trace::none);
  EXPECT_EQ(made.name_of(works[0].launch), "hipLaunchKernel");
  EXPECT_EQ(works[1].copy, trace::copy_kind::device_to_host);
  EXPECT_EQ(works[1].bytes, 128);
  EXPECT_TRUE(made.flows.empty());  // the arrow is the launch
}

TEST(pftrace, joins_by_arrows_where_no_number_is_told_and_draws_the_others) {
  made_up_trace t;
  t.thread(2, 77, 78, "main").thread(3, 77, 79, "worker").thread(4, 0, 7, "stream 7");
  t.event(10, begin(2, "cuda_runtime", "cudaLaunchKernel").fixed(47, 1'234'567'890'123)).event(15, end(2));
  t.event(20, begin(4, "kernel", "gemm").fixed(48, 1'234'567'890'123)).event(30, end(4));
  t.event(40, begin(2, "app", "send").fixed(47, 6)).event(41, end(2));
  t.event(50, begin(3, "app", "receive").fixed(48, 6)).event(51, end(3));
  const auto made = *read(t.bytes());
  ASSERT_NE(made.works[0].launch, trace::none);
  EXPECT_EQ(made.name_of(made.works[0].launch), "cudaLaunchKernel");
  ASSERT_EQ(made.flows.size(), 1U);
  EXPECT_EQ(made.flows[0].from_ns, 40);
  EXPECT_EQ(made.flows[0].to_ns, 50);
  EXPECT_EQ(made.tracks[made.flows[0].to_track].thread, 79);
}

TEST(pftrace, reads_counters_of_tracks_and_gpus) {
  made_up_trace t;
  t.packet(wire_writer().message(
      60, wire_writer().number(1, 5).text(2, "queue").message(8, wire_writer().number(4, 2).number(5, 1))));
  for (const std::uint64_t time : {10U, 20U})
    t.event(time, wire_writer().number(9, 4).number(11, 5).number(30, 3));
  const auto spec = wire_writer().message(1, wire_writer().number(1, 2).text(2, "power"));
  t.packet(wire_writer().number(8, 30).number(10, 1).message(
      52, wire_writer().message(1, spec).message(2, wire_writer().number(1, 2).real(3, 250.5)).number(3, 1)));
  const auto made = *read(t.bytes());
  ASSERT_EQ(made.counter_values.size(), 3U);
  EXPECT_EQ(made.counter_values[0].value, 6);
  EXPECT_EQ(made.counter_values[1].value, 12);  // counts on
  EXPECT_EQ(made.counter_values[2].value, 250.5);
  EXPECT_EQ(made.names[made.counters[1].name], "power");
  EXPECT_EQ(made.counters[1].device, 1);
}

std::string zlib_of(const std::string& bytes) {
  std::string packed(bytes.size() + 1024, '\0');
  ::isal_zstream stream;
  ::isal_deflate_stateless_init(&stream);
  stream.gzip_flag = IGZIP_ZLIB;
  stream.end_of_stream = 1;
  stream.next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<std::uint32_t>(bytes.size());
  stream.next_out = reinterpret_cast<std::uint8_t*>(packed.data());
  stream.avail_out = static_cast<std::uint32_t>(packed.size());
  EXPECT_EQ(::isal_deflate_stateless(&stream), COMP_OK);
  packed.resize(packed.size() - stream.avail_out);
  return packed;
}

TEST(pftrace, reads_compressed_packets_once_deep) {
  const auto inner = kineto().bytes();
  const auto packed = wire_writer().message(1, wire_writer().text(50, zlib_of(inner))).bytes();
  EXPECT_EQ(read(packed)->events.size(), read(inner)->events.size());
  const auto twice = wire_writer().message(1, wire_writer().text(50, zlib_of(packed))).bytes();
  const auto refused = *read(twice);
  EXPECT_EQ(refused.events.size(), 0U);
  EXPECT_EQ(refused.quality.count(trace::flaw::unreadable_event), 1U);
  EXPECT_EQ(read(wire_writer().message(1, wire_writer().text(50, "x")).bytes())
                ->quality.count(trace::flaw::unreadable_event),
            1U);
}

TEST(pftrace, is_told_from_texts_and_other_protocol_buffers) {
  EXPECT_TRUE(pftrace().recognises(kineto().bytes()));
  EXPECT_TRUE(pftrace().recognises(interned().bytes()));
  EXPECT_TRUE(pftrace().recognises(interned().bytes().substr(0, 20)));
  EXPECT_FALSE(pftrace().recognises("\n{\"traceEvents\": []}"));
  EXPECT_FALSE(pftrace().recognises("\n\n[\n{\"ph\": \"X\"}"));
  const auto plane = wire_writer().text(2, "/host:CPU").number(1, 3);
  EXPECT_FALSE(pftrace().recognises(wire_writer().message(1, plane).bytes()));
}

TEST(pftrace, gives_what_stands_before_every_cut) {
  const auto whole = kineto().bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const auto cut = read(std::string_view(whole).substr(0, length));
    if (cut.ok()) {
      EXPECT_LE(cut->events.size(), 6U);
    } else {
      EXPECT_NE(cut.why().message.find("a.pftrace"), std::string::npos);
    }
  }
}

TEST(pftrace, counts_times_that_cannot_be) {
  made_up_trace t;
  t.event(std::uint64_t{1} << 63, begin(2, "app", "never"));
  t.packet(wire_writer().number(10, 1).message(11, begin(2, "app", "no time")));
  t.packet(wire_writer().number(8, 5).number(10, 1).message(53, wire_writer().number(2, ~std::uint64_t{0})));
  t.event(5, begin(2, "app", "x").message(6, wire_writer().number(2, 'X').number(3, ~std::uint64_t{0} >> 1)));
  const auto made = *read(t.bytes());
  EXPECT_EQ(made.quality.count(trace::flaw::unreadable_event), 3U);
  EXPECT_EQ(made.events.size(), 1U);
}

TEST(pftrace, stops_at_the_memory_that_is_allowed) {
  const auto bytes = kineto().bytes();
  const auto refused = read(bytes, {.memory_bytes = 100});
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.why().remedy.find("--max-memory"), std::string::npos);
  EXPECT_EQ(read(bytes, {.memory_bytes = bytes.size()})->quality.count(trace::flaw::over_limit), 1U);
}

}  // namespace
}  // namespace ridge::backends::trace_pftrace
