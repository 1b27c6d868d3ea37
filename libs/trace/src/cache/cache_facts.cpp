// SPDX-License-Identifier: Apache-2.0
#include "cache/cache_facts.hpp"

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace ridge::trace {
namespace {

template <class T>
concept plain_value = std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_array_v<T>;

class fact_writer {
 public:
  template <class... Values>
  void operator()(Values&... values) {
    (put(values), ...);
  }
  [[nodiscard]] std::string bytes() && { return std::move(bytes_); }
  [[nodiscard]] bool holds() const { return true; }

  template <class T>
  void count(std::vector<T>& rows) {
    auto n = static_cast<std::uint64_t>(rows.size());
    put(n);
  }

 private:
  template <plain_value T>
  void put(T& value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(std::string& text) {
    auto n = static_cast<std::uint64_t>(text.size());
    put(n);
    bytes_ += text;
  }
  std::string bytes_{};
};

// Reads values from bytes. Past their end every value is empty, and holds() becomes false.
class fact_reader {
 public:
  explicit fact_reader(std::span<const char> bytes) : left_(bytes.data(), bytes.size()) {}
  template <class... Values>
  void operator()(Values&... values) {
    (put(values), ...);
  }
  [[nodiscard]] bool holds() const { return holds_; }
  [[nodiscard]] bool at_end() const { return holds_ && left_.empty(); }

  template <class T>
  void count(std::vector<T>& rows) {
    std::uint64_t n = 0;
    put(n);
    if (n > left_.size()) holds_ = false;  // a row takes at least one byte
    rows.assign(holds_ ? n : 0, T{});
  }

 private:
  std::string_view take(std::uint64_t n) {
    if (n > left_.size()) holds_ = false;
    if (!holds_) return {};
    const auto taken = left_.substr(0, n);
    left_.remove_prefix(n);
    return taken;
  }
  template <plain_value T>
  void put(T& value) {
    if (const auto bytes = take(sizeof value); holds_) std::memcpy(&value, bytes.data(), sizeof value);
  }
  void put(std::string& text) {
    std::uint64_t n = 0;
    put(n);
    text = take(n);
  }
  std::string_view left_;
  bool holds_ = true;
};

// Each names all fields of its row, so that a new field does not compile until it is written as well.
template <class Archive>
void pass(Archive& a, origin& o) {
  auto& [path, format, container, member, producer, host, file_bytes, content_bytes, rank, world_size,
         from_cache] = o;
  a(path, format, container, member, producer, host, file_bytes, content_bytes, rank, world_size, from_cache);
}

template <class Archive>
void pass(Archive& a, defect& d) {
  auto& [kind, count, offsets, text] = d;
  a(kind, count, text);
  a.count(offsets);
  for (auto& at : offsets) a(at);
}

template <class Archive>
void pass(Archive& a, track& t) {
  auto& [kind, process, thread, device, name, first, count] = t;
  a(kind, process, thread, device, name, first, count);
}

template <class Archive>
void pass(Archive& a, process& p) {
  auto& [id, name, labels] = p;
  a(id, name, labels);
}

template <class Archive>
void pass(Archive& a, device_facts& d) {
  auto& [id, name, memory_bytes, sms, compute_major, compute_minor, warp_size, threads_per_sm,
         shared_bytes_per_sm, registers_per_sm, memory_bytes_per_s, clock_hz] = d;
  a(id, name, memory_bytes, sms, compute_major, compute_minor, warp_size, threads_per_sm, shared_bytes_per_sm,
    registers_per_sm, memory_bytes_per_s, clock_hz);
}

template <class Archive>
void pass(Archive& a, process_group& g) {
  auto& [name, description, ranks] = g;
  a(name, description);
  a.count(ranks);
  for (auto& r : ranks) a(r);
}

template <class Archive>
void pass(Archive& a, counter_series& s) {
  auto& [name, device, track] = s;
  a(name, device, track);
}

template <class Archive>
void pass(Archive& a, profiled_kernel& k) {
  auto& [id, name, device, process, stream, grid, block] = k;
  a(id, name, device, process, stream, grid, block);
}

template <class Archive>
void pass_all(Archive& a, trace& t) {
  const auto rows = [&](auto& list) {
    a.count(list);
    for (auto& row : list) pass(a, row);
  };
  pass(a, t.source);
  a(t.epoch_ns);
  rows(t.quality.defects);
  rows(t.tracks);
  rows(t.processes);
  rows(t.devices);
  rows(t.groups);
  rows(t.counters);
  rows(t.profiled_kernels);
}

}  // namespace

std::string facts_to_bytes(const trace& t) {
  fact_writer writer;
  auto same = t;
  pass_all(writer, same);
  return std::move(writer).bytes();
}

bool facts_from_bytes(std::span<const char> bytes, trace& t) {
  fact_reader reader(bytes);
  pass_all(reader, t);
  return reader.at_end();
}

}  // namespace ridge::trace
