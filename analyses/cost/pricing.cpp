// SPDX-License-Identifier: Apache-2.0
#include "pricing.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <ridge/base/text.hpp>
#include <ridge/base/units.hpp>
#include <ridge/hardware/specification.hpp>
#include <ridge/plan/gpu_name.hpp>

namespace ridge::analyses::cost {
namespace {

// A variant is held by a ceiling, and moves with it, while it reaches so much of it. Above it, another memory
// serves it; far below, something else holds it.
constexpr double least_share = 0.5;
constexpr double greatest_share = 1.1;

// The GPUs of the machine as its driver names them.
std::vector<std::string> gpus_of(const model::environment& environment) {
  std::vector<std::string> names;
  for (const auto& [fact, value] : environment.facts) {
    if (fact != "gpu") continue;
    for (const auto part : split(value, ',')) names.emplace_back(trim(part));
  }
  return names;
}

std::string held_by_nothing_known(const model::measured_point& time) {
  if (time.bound != model::bound::memory && time.bound != model::bound::compute)
    return "its limit is latency or unknown: no model carries its time to another GPU";
  if (time.ceiling.empty() || !time.of_ceiling)
    return "its ceiling is not stored: `ridge run` states it again";
  if (*time.of_ceiling < least_share)
    return "it reaches less than half of its ceiling: something else limits it";
  if (*time.of_ceiling > greatest_share) return "it exceeds its ceiling: a cache serves it";
  return {};
}

}  // namespace

result<pricing> pricing::make(const std::string& gpu, std::optional<double> usd_per_hour, bool spot) {
  pricing made;
  made.prices_ = plan::prices_in(*made.catalogue_);
  made.given_ = usd_per_hour;
  made.spot_ = spot;
  if (gpu.empty()) return made;
  const auto found = plan::gpu_called(*made.catalogue_, gpu);
  if (!found) return found.why();
  made.target_ = *found;
  return made;
}

std::variant<priced_time, std::string> pricing::priced_at(const std::string& hardware, double count,
                                                          priced_time time) {
  used_price price{.terms = "given with the request"};
  if (given_) {
    price.usd_per_hour = *given_;
    time.usd_per_hour = *given_;
  } else {
    const auto* const listed = prices_.lowest(hardware, spot_);
    if (listed == nullptr)
      return fmt::format("no {} price of {} is known: give a rate", spot_ ? "spot" : "rental", hardware);
    price = {listed->usd_per_hour, listed->terms, listed->date, listed->source};
    time.usd_per_hour = count * listed->usd_per_hour;
  }
  used_.emplace(hardware, price);
  time.hardware = count > 1 ? fmt::format("{} × {}", count, hardware) : hardware;
  return time;
}

// Time moves with the ceiling that holds the variant: by the ratio of what both GPUs are specified to reach.
std::variant<priced_time, std::string> pricing::modelled(const hardware::gpu& seen,
                                                         const model::measured_point& time) {
  if (auto why = held_by_nothing_known(time); !why.empty()) return why;
  const auto here = hardware::specified(seen, time.ceiling);
  const auto there = hardware::specified(*target_, time.ceiling);
  if (!here || !there || !(here->value > 0) || !(there->value > 0))
    return fmt::format("no {} is specified of {}", time.ceiling, here ? target_->name : seen.name);
  return priced_at(
      target_->name, 1,
      {.seconds = time.median * here->value / there->value,
       .measured = false,
       .model = fmt::format("{} {} -> {}", time.bound == model::bound::memory ? "bandwidth" : "peak",
                            format_quantity(here->value, here->unit),
                            format_quantity(there->value, there->unit))});
}

std::variant<priced_time, std::string> pricing::price(const model::workload& workload,
                                                      const model::environment& environment,
                                                      const model::measured_point& time) {
  if (workload.backend == model::backend::cpu) {
    if (target_ != nullptr)
      return std::string("it was measured on a CPU: no model carries its time to a GPU");
    if (!given_) return std::string("no price of a processor is known: give a rate");
    return priced_at(workload.machine, 1, {.seconds = time.median});
  }
  const auto names = gpus_of(environment);
  if (names.empty()) return std::string("its GPU is not stored");
  const auto found = plan::gpu_called(*catalogue_, names.front());
  if (!found) return fmt::format("{} is not in the catalogue", names.front());
  const auto& seen = **found;
  if (target_ == nullptr || target_ == &seen)
    return priced_at(seen.name, static_cast<double>(names.size()), {.seconds = time.median});
  if (names.size() > 1) return std::string("it was measured with several GPUs: their links are not modelled");
  return modelled(seen, time);
}

}  // namespace ridge::analyses::cost
