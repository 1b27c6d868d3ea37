// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include <cupti.h>

namespace ridge::backends::profile_cupti {

// CUPTI's name of an API call ("cudaLaunchKernel_v7000").
using call_namer = std::function<std::string(CUpti_CallbackDomain, CUpti_CallbackId)>;

// CUPTI's records as lines of JSON, one event each, in the shape that Kineto writes: its categories, names
// and args, and `process` in the args of device work, since correlations count in each process on their own.
// Not safe from several threads.
class activity_lines {
 public:
  activity_lines(std::int64_t process, call_namer names) : process_(process), namer_(std::move(names)) {}

  void add(const CUpti_Activity& record);

  // Returns the lines made since the last call.
  [[nodiscard]] std::string take_events() { return std::exchange(events_, {}); }
  [[nodiscard]] std::string take_facts() { return std::exchange(facts_, {}); }
  // Number of records without a start or an end, which count as lost.
  [[nodiscard]] std::uint64_t take_incomplete() { return std::exchange(incomplete_, 0); }

 private:
  struct range_start {
    std::uint64_t at_ns = 0;
    std::string name{};
    std::uint32_t thread = 0;
  };
  struct recorded_event {
    std::uint32_t stream = 0, correlation = 0;
  };
  void take(const CUpti_ActivityKernel10& r);
  void take(const CUpti_ActivityMemcpy6& r);
  void take(const CUpti_ActivityMemcpyPtoP4& r);
  void take(const CUpti_ActivityMemset4& r);
  void take(const CUpti_ActivityAPI& r, CUpti_CallbackDomain domain);
  void take(const CUpti_ActivitySynchronization2& r);
  void take(const CUpti_ActivityCudaEvent2& r);
  void take(const CUpti_ActivityOverhead3& r);
  void take(const CUpti_ActivityMarker2& r);
  void take(const CUpti_ActivityDevice5& r);
  [[nodiscard]] bool complete(std::uint64_t start, std::uint64_t end);
  void write_range(const range_start& opened, std::uint64_t end_ns);
  [[nodiscard]] const std::string& kernel_name(const char* symbol);
  [[nodiscard]] const std::string& call_name(CUpti_CallbackDomain domain, CUpti_CallbackId call);
  [[nodiscard]] std::uint32_t device_of(std::uint32_t context) const;

  std::int64_t process_;
  call_namer namer_;
  std::unordered_map<std::string, std::string> kernels_{};  // demangled names by symbol
  std::map<std::pair<int, CUpti_CallbackId>, std::string> calls_{};
  std::map<std::uint32_t, range_start> open_ranges_{};
  std::map<std::uint32_t, std::uint32_t> devices_{};    // by context
  std::map<std::uint64_t, recorded_event> recorded_{};  // by cudaEventSyncId
  std::string events_{}, facts_{};
  std::uint64_t incomplete_ = 0;
};

}  // namespace ridge::backends::profile_cupti
