// SPDX-License-Identifier: Apache-2.0
#include "root_fields.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace ridge::backends::trace_chrome_json {
namespace {

using nlohmann::json;

template <class T>
T number_field(const json& object, const char* key, T otherwise) {
  const auto at = object.find(key);
  if (at == object.end() || !at->is_number_integer()) return otherwise;
  const auto value = at->get<std::int64_t>();
  return std::in_range<T>(value) ? static_cast<T>(value) : otherwise;
}

std::string text_field(const json& object, const char* key) {
  const auto at = object.find(key);
  return at != object.end() && at->is_string() ? at->get<std::string>() : "";
}

trace::device_facts device_of(const json& d) {
  return {.id = number_field(d, "id", 0),
          .name = text_field(d, "name"),
          .memory_bytes = number_field(d, "totalGlobalMem", std::int64_t{0}),
          .sms = number_field(d, "numSms", 0),
          .compute_major = number_field(d, "computeMajor", 0),
          .compute_minor = number_field(d, "computeMinor", 0),
          .warp_size = number_field(d, "warpSize", 0),
          .threads_per_sm = number_field(d, "maxThreadsPerMultiprocessor", 0),
          .shared_bytes_per_sm = number_field(d, "sharedMemPerMultiprocessor",
                                              number_field(d, "maxSharedMemoryPerMultiProcessor", 0)),
          .registers_per_sm = number_field(d, "regsPerMultiprocessor", 0)};
}

void take_devices(const json& list, trace::trace& target) {
  for (const auto& d : list) {
    if (d.is_object()) target.devices.push_back(device_of(d));
  }
}

trace::process_group group_of(const json& g) {
  trace::process_group out{.name = text_field(g, "pg_name"), .description = text_field(g, "pg_desc")};
  const auto ranks = g.find("ranks");
  if (ranks == g.end() || !ranks->is_array()) return out;
  for (const auto& r : *ranks) {
    if (r.is_number_integer()) out.ranks.push_back(r.get<int>());
  }
  return out;
}

void take_distribution(const json& info, trace::trace& target) {
  if (!info.is_object()) return;
  target.source.rank = number_field(info, "rank", target.source.rank);
  target.source.world_size = number_field(info, "world_size", target.source.world_size);
  const auto groups = info.find("pg_config");
  if (groups == info.end() || !groups->is_array()) return;
  for (const auto& g : *groups) {
    if (g.is_object()) target.groups.push_back(group_of(g));
  }
}

// Returns a version as text: 12040 gives "12.4".
std::string cuda_version(const json& v) {
  if (!v.is_number_integer()) return "";
  const auto n = v.get<std::int64_t>();
  return fmt::format("{}.{}", n / 1000, n % 1000 / 10);
}

// Returns a version as text: 60342133 gives "6.3.42133".
std::string hip_version(const json& v) {
  if (!v.is_number_integer()) return "";
  const auto n = v.get<std::int64_t>();
  return fmt::format("{}.{}.{}", n / 10'000'000, n / 100'000 % 100, n % 100'000);
}

void take_producer(std::string_view key, const json& v, trace::trace& target) {
  auto& producer = target.source.producer;
  const auto add = [&producer](const std::string& part) {
    if (producer.empty()) producer = "kineto";
    if (!part.empty()) producer += ", " + part;
  };
  if (key == "schemaVersion") return add("");
  if (key == "producer" && v.is_string() && producer.empty()) producer = v.get<std::string>();
  if (key == "cuda_runtime_version") return add("CUDA " + cuda_version(v));
  if (key == "cuda_driver_version") return add("driver for CUDA " + cuda_version(v));
  if (key == "hip_runtime_version") return add("HIP " + hip_version(v));
}

}  // namespace

void take_root_field(std::string_view key, std::string_view value, trace::trace& target) {
  constexpr std::string_view known[]{"deviceProperties",    "distributedInfo",     "baseTimeNanoseconds",
                                     "schemaVersion",       "cuda_driver_version", "cuda_runtime_version",
                                     "hip_runtime_version", "host_name",           "producer",
                                     "lostRecords"};
  if (std::ranges::find(known, key) == std::end(known)) return;
  const auto v = json::parse(value, nullptr, false);
  if (v.is_discarded()) return;
  if (key == "deviceProperties") return take_devices(v, target);
  if (key == "distributedInfo") return take_distribution(v, target);
  if (key == "host_name" && v.is_string()) target.source.host = v.get<std::string>();
  if (key == "baseTimeNanoseconds" && v.is_number_integer()) target.epoch_ns = v.get<std::int64_t>();
  if (key == "lostRecords" && v.is_number_unsigned() && v.get<std::uint64_t>() > 0)
    target.quality.add(trace::flaw::dropped_records, 0, "the profiler lost records", v.get<std::uint64_t>());
  take_producer(key, v, target);
}

}  // namespace ridge::backends::trace_chrome_json
