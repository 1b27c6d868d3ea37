// SPDX-License-Identifier: Apache-2.0
#include "record_reader.hpp"

#include <linux/perf_event.h>

#include <algorithm>
#include <cstring>
#include <string>

namespace ridge::backends::profile_perf_event {
namespace {

// Reads numbers and texts one after the other. A value past the end reads as empty, and the reader remembers
// it.
class field_reader {
 public:
  explicit field_reader(std::span<const std::byte> bytes) : rest_(bytes) {}

  template <class T>
  T next() {
    T value{};
    if (rest_.size() < sizeof(T)) {
      missing_ = true;
      return value;
    }
    std::memcpy(&value, rest_.data(), sizeof(T));
    rest_ = rest_.subspan(sizeof(T));
    return value;
  }

  void skip(std::size_t bytes) { rest_ = rest_.subspan(std::min(bytes, rest_.size())); }

  std::string text() {
    const auto end = std::ranges::find(rest_, std::byte{0});
    return {reinterpret_cast<const char*>(rest_.data()), static_cast<std::size_t>(end - rest_.begin())};
  }

  [[nodiscard]] bool missing() const { return missing_; }
  [[nodiscard]] std::size_t left() const { return rest_.size(); }

 private:
  std::span<const std::byte> rest_;
  bool missing_ = false;
};

struct thread_time {
  pid_t process = 0, thread = 0;
  std::int64_t time_ns = 0;
};

constexpr std::size_t trailer_bytes = 16;

// The fields at the end of every record except samples.
std::optional<thread_time> trailer_of(std::span<const std::byte> record) {
  if (record.size() < sizeof(perf_event_header) + trailer_bytes) return std::nullopt;
  field_reader in(record.last(trailer_bytes));
  const auto process = in.next<std::int32_t>(), thread = in.next<std::int32_t>();
  return thread_time{process, thread, static_cast<std::int64_t>(in.next<std::uint64_t>())};
}

std::optional<timed_record> read_sample(field_reader reader) {
  profile::stack_seen s;
  const auto at = reader.next<std::uint64_t>();
  s.process = reader.next<std::int32_t>();
  s.thread = reader.next<std::int32_t>();
  s.time_ns = static_cast<std::int64_t>(reader.next<std::uint64_t>());
  s.weight = reader.next<std::uint64_t>();
  const auto frames = reader.next<std::uint64_t>();
  if (reader.missing() || frames > reader.left() / sizeof(std::uint64_t)) return std::nullopt;
  for (std::uint64_t i = 0; i < frames; ++i) {
    const auto address = reader.next<std::uint64_t>();
    // The uppermost 4095 numbers are not addresses; they separate kernel frames from the program's.
    if (address < static_cast<std::uint64_t>(PERF_CONTEXT_MAX)) s.addresses.push_back(address);
  }
  if (s.addresses.empty()) s.addresses.push_back(at);
  return timed_record{s.time_ns, std::move(s)};
}

std::optional<timed_record> read_mapping(field_reader reader, std::int64_t time_ns) {
  profile::mapping_made m{.time_ns = time_ns};
  m.process = reader.next<std::int32_t>();
  reader.skip(sizeof(std::int32_t));
  m.begin = reader.next<std::uint64_t>();
  m.length = reader.next<std::uint64_t>();
  m.offset = reader.next<std::uint64_t>();
  reader.skip(24);  // device, inode and generation, or the build id
  reader.skip(8);   // protection and flags
  if (reader.missing()) return std::nullopt;
  m.file = reader.text();
  return timed_record{time_ns, std::move(m)};
}

std::optional<timed_record> read_name(field_reader reader, std::int64_t time_ns, bool by_exec) {
  profile::thread_named n{.time_ns = time_ns, .by_exec = by_exec};
  n.process = reader.next<std::int32_t>();
  n.thread = reader.next<std::int32_t>();
  if (reader.missing()) return std::nullopt;
  n.name = reader.text();
  return timed_record{time_ns, std::move(n)};
}

std::optional<timed_record> read_start(field_reader reader, std::int64_t time_ns) {
  profile::thread_started t{.time_ns = time_ns};
  t.process = reader.next<std::int32_t>();
  t.parent_process = reader.next<std::int32_t>();
  t.thread = reader.next<std::int32_t>();
  if (reader.missing()) return std::nullopt;
  return timed_record{time_ns, t};
}

timed_record read_switch(const thread_time& who, std::uint16_t misc) {
  return {who.time_ns,
          profile::thread_switched{.time_ns = who.time_ns,
                                   .process = who.process,
                                   .thread = who.thread,
                                   .out = (misc & PERF_RECORD_MISC_SWITCH_OUT) != 0,
                                   .preempted = (misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0}};
}

}  // namespace

std::optional<timed_record> read_record(std::span<const std::byte> record) {
  field_reader in(record);
  const auto header = in.next<perf_event_header>();
  if (in.missing()) return std::nullopt;
  if (header.type == PERF_RECORD_SAMPLE) return read_sample(in);
  const auto who = trailer_of(record);
  if (!who) return std::nullopt;
  field_reader fields(record.subspan(sizeof header, record.size() - sizeof header - trailer_bytes));
  switch (header.type) {
    case PERF_RECORD_MMAP2:
      return read_mapping(fields, who->time_ns);
    case PERF_RECORD_COMM:
      return read_name(fields, who->time_ns, (header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0);
    case PERF_RECORD_FORK:
      return read_start(fields, who->time_ns);
    case PERF_RECORD_SWITCH:
      return read_switch(*who, header.misc);
    case PERF_RECORD_LOST:
      fields.skip(sizeof(std::uint64_t));
      return timed_record{who->time_ns, profile::records_lost{fields.next<std::uint64_t>()}};
    case PERF_RECORD_LOST_SAMPLES:
      return timed_record{who->time_ns, profile::records_lost{fields.next<std::uint64_t>()}};
    default:
      return std::nullopt;
  }
}

void for_each_record(std::span<const std::byte> ring, std::uint64_t tail, std::uint64_t head,
                     const std::function<void(std::span<const std::byte>)>& take) {
  std::vector<std::byte> whole;
  while (head - tail >= sizeof(perf_event_header) && head > tail) {
    perf_event_header header{};
    const auto at = static_cast<std::size_t>(tail % ring.size());
    // Records begin at multiples of 8 bytes, so that a header never wraps around.
    std::memcpy(&header, ring.data() + at, sizeof header);
    if (header.size < sizeof header || header.size > head - tail) return;
    if (at + header.size <= ring.size()) {
      take(ring.subspan(at, header.size));
    } else {
      const auto first = ring.subspan(at);
      whole.assign(first.begin(), first.end());
      const auto rest = ring.first(header.size - first.size());
      whole.insert(whole.end(), rest.begin(), rest.end());
      take(whole);
    }
    tail += header.size;
  }
}

}  // namespace ridge::backends::profile_perf_event
