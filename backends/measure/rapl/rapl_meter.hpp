// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <ridge/measure/energy_meter.hpp>

namespace ridge::backends::measure_rapl {

// The energy of all packages and their memory (DRAM) by the powercap files of the kernel
// (Documentation/power/powercap), for Intel and AMD. Counters wrap around, so read it at least once per wrap
// (about twenty minutes at 200 W).
class rapl_meter final : public measure::energy_meter {
 public:
  explicit rapl_meter(const std::filesystem::path& root);
  std::string_view unavailable_because() const override { return reason_; }
  std::string_view name() const override { return name_; }
  double joules() override;
  double resolution_s() const override { return 1e-3; }

 private:
  struct domain {
    std::filesystem::path file;
    std::int64_t range_uj;
    std::int64_t last_uj;
  };
  void add_domain(const std::filesystem::path& folder);

  std::vector<domain> domains_{};
  std::string name_{};
  std::string reason_{};
  double joules_ = 0;
};

}  // namespace ridge::backends::measure_rapl
