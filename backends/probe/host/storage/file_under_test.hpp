// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <ridge/model/ceiling.hpp>

#include "storage/file_probe.hpp"
#include "storage/request_stream.hpp"
#include "storage/storage_place.hpp"

namespace ridge::backends::probe_host {

// A file full of random bytes, and how requests are sent to it.
class file_under_test final {
 public:
  file_under_test(const std::filesystem::path& folder, const measure::clock& clock, const storage_plan& plan,
                  const storage_ways& ways);

  [[nodiscard]] const nameless_file& file() const { return file_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const measure::clock& clock() const { return *clock_; }
  [[nodiscard]] double row_s() const { return row_s_; }
  [[nodiscard]] std::unique_ptr<block_engine> engine(int depth) const;

  // Adds to a row what every row says: the way of access, the place, and why its value is not that of a disk.
  void describe(model::ceiling& row, std::string variant) const;

 private:
  const measure::clock* clock_;
  const storage_ways* ways_;
  double row_s_;
  storage_place place_;
  nameless_file file_;
  std::size_t size_ = 0;
};

// Returns a row with the median of the rates (of all of them where there are fewer than six, which it says).
[[nodiscard]] model::ceiling row_of_rates(std::string id, std::string title, std::vector<double> rates,
                                          std::string unit = "B/s");

// Return rows for requests of a pattern: bytes per second, requests per second, and the time of each.
[[nodiscard]] model::ceiling bandwidth(const file_under_test& file, std::string id, std::string title,
                                       pattern access);
[[nodiscard]] model::ceiling requests_per_second(const file_under_test& file, std::string id,
                                                 std::string title, pattern access);
[[nodiscard]] model::ceiling latency(const file_under_test& file, std::string id, std::string title);

// Return rows for accesses through the page cache.
[[nodiscard]] model::ceiling flush_latency(const file_under_test& file);
void add_cached_reads(const file_under_test& file, std::vector<model::ceiling>& rows);

}  // namespace ridge::backends::probe_host
