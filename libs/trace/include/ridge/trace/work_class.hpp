// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// What device work is for. Fills count as compute in a partition (see device_partition).
enum class work_class : std::uint8_t { compute, communication, copy, fill };

[[nodiscard]] std::string_view name(work_class c);

// A pattern that names communication: a part of a kernel's name, whatever its case.
struct communication_pattern {
  std::string part{};
  std::string library{};  // "NCCL", "DeepEP"
};

// Which kernels are communication. The user sees and extends it (`--communication-names`).
struct communication_names {
  std::vector<communication_pattern> patterns{};

  [[nodiscard]] static communication_names built_in();
  // The first pattern that is part of the name; nullptr: none.
  [[nodiscard]] const communication_pattern* match(std::string_view kernel) const;
};

// One class for each of trace::works.
[[nodiscard]] std::vector<work_class> classes_of(const trace& t, const communication_names& names);

}  // namespace ridge::trace
