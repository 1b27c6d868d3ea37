// SPDX-License-Identifier: Apache-2.0
#include "net/loopback.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <thread>

#include <gtest/gtest.h>

#include <ridge/base/error.hpp>

#include "net/ring.hpp"
#include "net/windows.hpp"
#include "tests/small_request.hpp"

namespace ridge::backends::probe_host {
namespace {

TEST(loopback, streams_and_round_trips_of_both_kinds_of_sockets) {
  const small_request ask;
  const auto pair = pair_apart(this_machine());
  const nothing_left behind;
  for (const auto how : {transport::tcp, transport::unix_stream}) {
    const auto one = stream_through(ask.request, how, "net.x", {pair.first, pair.second});
    EXPECT_GT(one.value, 1e5);
    EXPECT_LT(one.value, 1e12);
    EXPECT_EQ(one.threads, 2);
    EXPECT_EQ(
        stream_through(ask.request, how, "net.x", {pair.first, pair.second, pair.second, pair.first}).threads,
        4);
    const auto trip = round_trip(ask.request, how, waiting::asleep, "net.y", pair);
    EXPECT_GT(trip.value, 1e-7);
    EXPECT_LT(trip.value, 1);
  }
  EXPECT_TRUE(behind.holds());
}

TEST(loopback, busy_waiting_gets_the_same_bytes_back) {
  const auto pair = pair_apart(this_machine());
  if (!pair.apart()) GTEST_SKIP() << "one core only";
  const small_request ask;
  EXPECT_GT(round_trip(ask.request, transport::tcp, waiting::busy, "net.y", pair).value, 1e-7);
}

TEST(loopback, forbidden_sockets_are_a_reason_to_skip) {
  const small_request ask;
  const nothing_left behind;
  const socket_maker refuse = [](int, int) { return errno = EPERM, -1; };
  int made = 0;
  const socket_maker only_one = [&](int domain, int type) {
    return ++made == 1 ? make_socket(domain, type) : (errno = EMFILE, -1);
  };
  try {
    (void)stream_through(ask.request, transport::tcp, "net.x", {0, 0}, refuse);
    FAIL() << "measured";
  } catch (const unavailable& e) {
    EXPECT_NE(e.why().message.find("TCP socket"), std::string::npos);
    EXPECT_NE(e.why().message.find(std::strerror(EPERM)), std::string::npos);
  }
  EXPECT_THROW((void)round_trip(ask.request, transport::tcp, waiting::asleep, "net.x", {}, only_one),
               unavailable);
  EXPECT_TRUE(behind.holds());
}

TEST(loopback, one_whose_other_side_ended_is_no_answer) {
  const auto pair = connect_pair(transport::tcp);
  pair.far.end();
  std::array<std::byte, 8> bytes{};
  EXPECT_FALSE(receive_all(pair.near, bytes));
  EXPECT_FALSE(receive_all(pair.near, bytes, waiting::busy));
}

TEST(loopback, a_lost_other_thread_ends_the_probe) {
  const small_request ask;
  const nothing_left behind;
  const cpu_pair nowhere{"other_core", "", this_machine().allowed.front(), 8000};
  EXPECT_THROW((void)round_trip(ask.request, transport::unix_stream, waiting::asleep, "net.y", nowhere),
               unavailable);
  EXPECT_THROW((void)stream_through(ask.request, transport::unix_stream, "net.x", {0, 8000}), unavailable);
  EXPECT_TRUE(behind.holds());
}

TEST(set_rate, windows_beside_which_a_thread_was_turned_out_do_not_count) {
  std::vector<window> seen;
  for (int i = 0; i < 20; ++i) seen.push_back({i == 9 ? 1.0 : 10.0 + i % 2, i < 10 ? 0 : 3});
  model::ceiling row;
  set_rate(row, seen);
  EXPECT_EQ(row.value, 10.5);
  EXPECT_FALSE(row.disturbed);
  EXPECT_EQ(row.ci, (interval{10, 11}));
}

TEST(set_rate, a_busy_machine_shows_its_fastest_window_and_says_so) {
  std::vector<window> seen;
  for (int i = 0; i < 10; ++i) seen.push_back({1.0 + i, i});
  model::ceiling row;
  set_rate(row, seen);
  EXPECT_EQ(row.value, 9);
  EXPECT_EQ(row.ci, (interval{5.5, 9}));
  EXPECT_TRUE(row.disturbed);
  EXPECT_NE(row.note.find("0 of 8"), std::string::npos);
}

TEST(ring, gives_out_what_was_put_in_and_knows_when_it_is_full_or_empty) {
  ring subject(4, 8);
  std::array<std::byte, 8> in{}, out{};
  EXPECT_FALSE(subject.take(out));
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < 4; ++i) {
      in[0] = static_cast<std::byte>(10 * round + i);
      EXPECT_TRUE(subject.put(in));
    }
    EXPECT_FALSE(subject.put(in));
    for (int i = 0; i < 4; ++i) {
      ASSERT_TRUE(subject.take(out));
      EXPECT_EQ(out[0], static_cast<std::byte>(10 * round + i));
    }
    EXPECT_FALSE(subject.take(out));
  }
}

TEST(ring, two_threads_lose_nothing_and_keep_the_order) {
  ring subject(8, 8);
  constexpr std::uint64_t count = 20'000;
  std::jthread producer([&] {
    for (std::uint64_t n = 0; n < count;) {
      std::array<std::byte, 8> in{};
      std::memcpy(in.data(), &n, sizeof n);
      subject.put(in) ? void(++n) : std::this_thread::yield();
    }
  });
  for (std::uint64_t n = 0; n < count;) {
    std::array<std::byte, 8> out{};
    std::uint64_t got = 0;
    if (!subject.take(out)) {
      std::this_thread::yield();
      continue;
    }
    std::memcpy(&got, out.data(), sizeof got);
    ASSERT_EQ(got, n++);
  }
}

TEST(loopback, a_ring_has_a_rate_and_a_round_trip) {
  const auto pair = pair_apart(this_machine());
  const small_request ask;
  if (!pair.apart()) {
    EXPECT_THROW((void)through_ring(ask.request, pair), unavailable);
    return;
  }
  const nothing_left behind;
  const auto rows = through_ring(ask.request, pair);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_GT(rows[0].value, 1e5);
  EXPECT_LT(rows[0].value, 1e12);
  EXPECT_GT(rows[1].value, 1e-8);
  EXPECT_TRUE(behind.holds());
}

}  // namespace
}  // namespace ridge::backends::probe_host
