// SPDX-License-Identifier: Apache-2.0
#include "storage/request_stream.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include <ridge/base/byte_units.hpp>
#include <ridge/base/error.hpp>

namespace ridge::backends::probe_host {
namespace {

constexpr std::size_t stamped = 4096;

// xorshift64* (Vigna, ACM TOMS 42, 2016): storage that compresses data or detects zeros gains nothing from
// such bytes.
std::uint64_t draw(std::uint64_t& x) {
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  return x * 0x2545f4914f6cdd1d;
}

std::uint64_t stamp_of(std::uint64_t offset) { return (offset / stamped + 1) * 0x9e3779b97f4a7c15; }

}  // namespace

request_stream::request_stream(std::unique_ptr<block_engine> engine, int descriptor, std::size_t size,
                               pattern access)
    : descriptor_(descriptor),
      requests_(size / access.bytes),
      access_(access),
      memory_(access.bytes * static_cast<std::size_t>(access.depth), host::page_bytes()),
      offsets_(static_cast<std::size_t>(access.depth)),
      engine_(std::move(engine)) {
  expects(requests_ > 0, "request_stream: a file with room for a request");
  for (auto& word : memory_.as<std::uint64_t>()) word = draw(seed_);
}

std::byte* request_stream::memory_of(std::size_t slot) const {
  return memory_.bytes().data() + slot * access_.bytes;
}

void request_stream::stamp(std::size_t slot, std::uint64_t offset) {
  for (std::size_t i = 0; i < access_.bytes; i += stamped) {
    const auto mark = stamp_of(offset + i);
    std::memcpy(memory_of(slot) + i, &mark, sizeof mark);
  }
}

void request_stream::check(std::size_t slot) const {
  for (const auto i : {std::size_t{0}, access_.bytes - stamped}) {
    std::uint64_t mark = 0;
    std::memcpy(&mark, memory_of(slot) + i, sizeof mark);
    if (mark != stamp_of(offsets_[slot] + i))
      throw failure({"the probe's file holds other data at " + std::to_string(offsets_[slot] + i) +
                         " than was written there",
                     ""});
  }
}

transfer request_stream::next(std::size_t slot) {
  const auto place = access_.random ? draw(seed_) % requests_ : position_++ % requests_;
  offsets_[slot] = place * access_.bytes;
  if (access_.writes) stamp(slot, offsets_[slot]);
  return {descriptor_, access_.writes, memory_of(slot), access_.bytes, offsets_[slot]};
}

void request_stream::run(const measure::clock& clock,
                         const std::function<bool(std::size_t done, double seconds)>& enough) {
  const auto depth = static_cast<std::size_t>(access_.depth);
  const auto begin = clock.now();
  for (std::size_t slot = 0; slot < depth; ++slot) engine_->start(slot, next(slot));
  const auto one = [&] {
    const auto slot = engine_->finish();
    if (!access_.writes) check(slot);
    return slot;
  };
  for (std::size_t done = 1;; ++done) {
    const auto slot = one();
    if (enough(done, clock.seconds(clock.now() - begin))) break;
    engine_->start(slot, next(slot));
  }
  for (std::size_t left = 1; left < depth; ++left) one();
}

std::vector<double> rates_of(request_stream& stream, pattern access, const measure::clock& clock,
                             double time_s) {
  constexpr std::size_t wanted = 20, least = 7;
  const auto in_window = std::max<std::size_t>(4, static_cast<std::size_t>(access.depth) / 2);
  std::vector<double> rates;
  std::size_t from = 0;
  double from_s = 0;
  stream.run(clock, [&](std::size_t done, double s) {
    if (done - from >= in_window && s - from_s >= time_s / static_cast<double>(wanted)) {
      rates.push_back(static_cast<double>((done - from) * access.bytes) / (s - from_s));
      from = done, from_s = s;
    }
    const bool enough = s > (rates.size() < least ? 3 : 1) * time_s;
    if (enough && rates.empty()) rates.push_back(static_cast<double>(done * access.bytes) / s);
    return enough;
  });
  return rates;
}

std::size_t fill(std::unique_ptr<block_engine> engine, int descriptor, std::size_t room,
                 const measure::clock& clock, double time_s) {
  const pattern blocks{.writes = true, .bytes = mib, .depth = fill_depth};
  request_stream stream(std::move(engine), descriptor, room, blocks);
  const std::size_t all = room / mib;
  constexpr std::size_t last = fill_depth - 1;  // requests in flight when the first has finished
  std::size_t written = 0;
  stream.run(clock, [&](std::size_t done, double s) {
    written = done + last;  // requests in flight are waited for
    return written == all || (written >= 2 * fill_depth && s > time_s);
  });
  return written * mib;
}

}  // namespace ridge::backends::probe_host
