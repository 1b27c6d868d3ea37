// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>

#include <ridge/base/result.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>
#include <ridge/plan/price_list.hpp>
#include <ridge/results/analysis.hpp>
#include <ridge/results/timed.hpp>

namespace ridge::analyses::cost {

// A time on a machine with its price.
struct priced_time {
  double seconds = 0;
  double usd_per_hour = 0;  // of all GPUs of the machine together
  std::string hardware{};   // "H100 SXM", "2 × H200 SXM", or the machine where it has no GPU
  bool measured = true;     // on that hardware; else modelled by what `model` says
  std::string model{};      // "bandwidth 4.80 TB/s -> 3.35 TB/s"

  [[nodiscard]] double usd_per_call() const { return seconds / 3600 * usd_per_hour; }
};

// A price that was used.
struct used_price {
  double usd_per_hour = 0;
  std::string terms{}, date{}, source{};
};

// Prices the time of variants: on the hardware that they were measured on or, by a stated model, on another
// GPU. What cannot be priced has a reason.
class pricing final {
 public:
  // `gpu`: the GPU on which to price; empty: the one measured on. `usd_per_hour`: a price instead of that of
  // the catalogue. The error names the nearest GPUs of the catalogue.
  static result<pricing> make(const std::string& gpu, std::optional<double> usd_per_hour, bool spot);

  // Returns the priced time of a variant, or the reason why it has no price: a sentence without full stop.
  [[nodiscard]] std::variant<priced_time, std::string> price(const model::workload& workload,
                                                             const model::environment& environment,
                                                             const model::measured_point& time);

  // The prices used so far, by hardware.
  [[nodiscard]] const std::map<std::string, used_price>& used() const { return used_; }

 private:
  pricing() = default;
  [[nodiscard]] std::variant<priced_time, std::string> priced_at(const std::string& hardware, double count,
                                                                 priced_time time);
  [[nodiscard]] std::variant<priced_time, std::string> modelled(const hardware::gpu& seen,
                                                                const model::measured_point& time);

  const hardware::catalogue* catalogue_ = &hardware::catalogue::embedded();
  plan::price_list prices_{};
  const hardware::gpu* target_ = nullptr;
  std::optional<double> given_{};
  bool spot_ = false;
  std::map<std::string, used_price> used_{};
};

}  // namespace ridge::analyses::cost
