// SPDX-License-Identifier: Apache-2.0
#include "record_reader.hpp"

#include <cerrno>

#include <gtest/gtest.h>

#include "made_up_records.hpp"
#include "perf_attributes.hpp"
#include "record_queue.hpp"

namespace ridge::backends::profile_perf_event {
namespace {

using profile::stack_seen;

template <class T>
T read_as(const bytes& b) {
  const auto made = read_record(b);
  EXPECT_TRUE(made && std::holds_alternative<T>(made->record));
  return made && std::holds_alternative<T>(made->record) ? std::get<T>(made->record) : T{};
}

bytes sample(std::uint64_t time_ns, const std::vector<std::uint64_t>& chain,
             std::uint64_t told = ~std::uint64_t{0}) {
  bytes f;
  put(f, std::uint64_t{0x4000}), put(f, std::int32_t{10}), put(f, std::int32_t{11}), put(f, time_ns),
      put(f, std::uint64_t{1'001'001});
  put(f, told == ~std::uint64_t{0} ? std::uint64_t{chain.size()} : told);
  for (const auto address : chain) put(f, address);
  return record(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, f);
}

TEST(record_reader, a_sample_is_its_thread_time_weight_and_stack) {
  const auto s =
      read_as<stack_seen>(sample(99, {static_cast<std::uint64_t>(PERF_CONTEXT_USER), 0x4000, 0x3000}));
  EXPECT_EQ(s.time_ns, 99);
  EXPECT_EQ(s.process, 10);
  EXPECT_EQ(s.thread, 11);
  EXPECT_EQ(s.weight, 1'001'001U);
  EXPECT_EQ(s.addresses, (std::vector<std::uint64_t>{0x4000, 0x3000}));
}

TEST(record_reader, a_sample_without_a_chain_is_where_it_was) {
  EXPECT_EQ(read_as<stack_seen>(sample(1, {})).addresses, std::vector<std::uint64_t>{0x4000});
}

TEST(record_reader, a_chain_longer_than_its_record_is_refused) {
  EXPECT_FALSE(read_record(sample(1, {1, 2}, 3)));
  EXPECT_FALSE(read_record(sample(1, {1, 2}, std::uint64_t{1} << 62)));
}

TEST(record_reader, a_mapping_is_its_place_and_file) {
  bytes f;
  put(f, std::int32_t{10}), put(f, std::int32_t{11});
  put(f, std::uint64_t{0x7000}), put(f, std::uint64_t{0x2000}), put(f, std::uint64_t{0x1000});
  for (int i = 0; i < 3; ++i) put(f, std::uint64_t{0xabc});
  put(f, std::uint32_t{5}), put(f, std::uint32_t{2});
  put_text(f, "/usr/lib/libm.so.6");
  const auto m =
      read_as<profile::mapping_made>(record(PERF_RECORD_MMAP2, PERF_RECORD_MISC_USER, f, 10, 11, 77));
  EXPECT_EQ(m.time_ns, 77);
  EXPECT_EQ(m.process, 10);
  EXPECT_EQ(m.begin, 0x7000U);
  EXPECT_EQ(m.length, 0x2000U);
  EXPECT_EQ(m.offset, 0x1000U);
  EXPECT_EQ(m.file, "/usr/lib/libm.so.6");
}

TEST(record_reader, names_tell_whether_exec_gave_them) {
  bytes f;
  put(f, std::int32_t{10}), put(f, std::int32_t{11});
  put_text(f, "python3");
  const auto by_exec =
      read_as<profile::thread_named>(record(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, f, 10, 11, 5));
  EXPECT_EQ(by_exec.name, "python3");
  EXPECT_EQ(by_exec.thread, 11);
  EXPECT_TRUE(by_exec.by_exec);
  EXPECT_FALSE(read_as<profile::thread_named>(record(PERF_RECORD_COMM, 0, f, 10, 11, 5)).by_exec);
}

TEST(record_reader, a_fork_names_child_and_parent) {
  bytes f;
  put(f, std::int32_t{20}), put(f, std::int32_t{10}), put(f, std::int32_t{21}), put(f, std::int32_t{11}),
      put(f, std::uint64_t{4});
  const auto t = read_as<profile::thread_started>(record(PERF_RECORD_FORK, 0, f, 20, 21, 6));
  EXPECT_EQ(t.process, 20);
  EXPECT_EQ(t.parent_process, 10);
  EXPECT_EQ(t.thread, 21);
  EXPECT_EQ(t.time_ns, 6);
}

TEST(record_reader, switches_tell_direction_and_preemption) {
  const auto out = read_as<profile::thread_switched>(record(
      PERF_RECORD_SWITCH, PERF_RECORD_MISC_SWITCH_OUT | PERF_RECORD_MISC_SWITCH_OUT_PREEMPT, {}, 3, 4, 8));
  EXPECT_TRUE(out.out);
  EXPECT_TRUE(out.preempted);
  EXPECT_EQ(out.process, 3);
  EXPECT_EQ(out.thread, 4);
  EXPECT_EQ(out.time_ns, 8);
  EXPECT_FALSE(read_as<profile::thread_switched>(record(PERF_RECORD_SWITCH, 0, {}, 3, 4, 8)).out);
}

TEST(record_reader, losses_are_counted) {
  bytes f;
  put(f, std::uint64_t{1}), put(f, std::uint64_t{12});
  EXPECT_EQ(read_as<profile::records_lost>(record(PERF_RECORD_LOST, 0, f, 1, 1, 9)).count, 12U);
  bytes samples;
  put(samples, std::uint64_t{13});
  EXPECT_EQ(read_as<profile::records_lost>(record(PERF_RECORD_LOST_SAMPLES, 0, samples, 1, 1, 9)).count, 13U);
}

TEST(record_reader, cut_or_strange_records_are_nothing) {
  const auto whole = sample(1, {1, 2});
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(read_record(std::span(whole).first(size))) << size;
  for (const auto type : {PERF_RECORD_MMAP2, PERF_RECORD_COMM, PERF_RECORD_FORK})
    EXPECT_FALSE(read_record(record(type, 0, {}, 1, 1, 1))) << type;
  EXPECT_FALSE(read_record(record(PERF_RECORD_SWITCH, 0, {})));
  EXPECT_FALSE(read_record(record(12345, 0, {}, 1, 1, 1)));
}

// Every start in the ring, so that every split of the record occurs.
TEST(for_each_record, records_that_wrap_around_are_put_together) {
  const auto first = sample(1, {1, 2, 3}), second = sample(2, {4});
  for (std::uint64_t from = 0; from < 512; from += 8) {
    bytes ring(256);
    std::uint64_t to = from;
    for (const auto* r : {&first, &second}) {
      for (const auto b : *r) ring[to++ % ring.size()] = b;
    }
    std::vector<bytes> seen;
    for_each_record(ring, from, to,
                    [&](std::span<const std::byte> r) { seen.emplace_back(r.begin(), r.end()); });
    EXPECT_EQ(seen, (std::vector{first, second})) << from;
  }
}

TEST(for_each_record, an_impossible_length_ends_it) {
  bytes ring(256);
  const auto count = [&](std::uint64_t head) {
    int seen = 0;
    for_each_record(ring, 0, head, [&](std::span<const std::byte>) { ++seen; });
    return seen;
  };
  EXPECT_EQ(count(64), 0);  // length 0
  const perf_event_header longer{PERF_RECORD_SWITCH, 0, 72};
  std::memcpy(ring.data(), &longer, sizeof longer);
  EXPECT_EQ(count(64), 0);
  EXPECT_EQ(count(72), 1);
  EXPECT_EQ(count(0), 0);
}

TEST(record_queue, gives_by_time_and_keeps_what_is_later) {
  record_queue q;
  for (const std::int64_t t : {30, 10, 20, 10, 40})
    q.add({t, profile::records_lost{static_cast<std::uint64_t>(t)}});
  std::vector<std::uint64_t> seen;
  const auto sink = [&](const profile::sampler_record& r) {
    seen.push_back(std::get<profile::records_lost>(r).count);
  };
  q.give_before(30, sink);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{10, 10, 20}));
  q.add({25, profile::records_lost{25}});
  q.give_before(100, sink);
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{10, 10, 20, 25, 30, 40}));
}

TEST(refusal, names_the_setting_and_what_to_do) {
  EXPECT_EQ(refusal(EACCES, 4).remedy, "sudo sysctl kernel.perf_event_paranoid=2");
  EXPECT_NE(refusal(EACCES, 4).message.find("kernel.perf_event_paranoid is 4"), std::string::npos);
  EXPECT_NE(refusal(EPERM, 1).remedy.find("PERFMON"), std::string::npos);
  EXPECT_NE(refusal(EPERM, std::nullopt).remedy.find("PERFMON"), std::string::npos);
}

}  // namespace
}  // namespace ridge::backends::profile_perf_event
