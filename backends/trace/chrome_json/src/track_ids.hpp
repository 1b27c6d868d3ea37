// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <ridge/trace/trace_builder.hpp>

#include "event_fields.hpp"

namespace ridge::backends::trace_chrome_json {

// The tracks of a builder by the file's process and thread numbers, and the names that metadata gives them.
class track_ids {
 public:
  explicit track_ids(trace::trace_builder& builder) : builder_(builder) {}

  [[nodiscard]] trace::track_id of(trace::track_kind kind, const id_number& process, const id_number& thread,
                                   std::int32_t device = -1);

  void name_process(std::int64_t process, std::string name);
  void label_process(std::int64_t process, std::string labels);
  void name_thread(std::int64_t process, std::int64_t thread, std::string name);
  // Gives the names to all processes and tracks that have events.
  void apply_names();

 private:
  struct slot {
    std::int64_t process = 0, thread = 0;
    std::int32_t device = 0;
    trace::track_kind kind = trace::track_kind::other;
    trace::track_id id = trace::none;
  };
  struct given_name {
    std::int64_t process = 0, thread = 0;
    std::string text{};
  };
  [[nodiscard]] trace::track_id missed(trace::track_kind kind, const id_number& process,
                                       const id_number& thread, std::int32_t device);

  trace::trace_builder& builder_;
  std::array<slot, 64> slots_{};
  std::vector<given_name> processes_{}, labels_{}, threads_{};
};

}  // namespace ridge::backends::trace_chrome_json
