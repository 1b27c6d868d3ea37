// SPDX-License-Identifier: Apache-2.0
#include "laboratory.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <exception>

#include <ridge/device/host_options.hpp>

#include "surroundings.hpp"

namespace ridge::backends::device_host {
std::unique_ptr<device::device> make(device::host_options options);
}  // namespace ridge::backends::device_host
namespace ridge::backends::measure_tsc {
std::unique_ptr<measure::clock> make();
}  // namespace ridge::backends::measure_tsc

namespace ridge::cheats {

laboratory::laboratory() {
  device::host_options options;
  try {
    clock = backends::measure_tsc::make();
    constexpr std::int64_t many = 1'000'000'000;
    options.now = [this] { return static_cast<std::uint64_t>(clock->now()); };
    options.seconds_per_tick = clock->seconds(many) / static_cast<double>(many);
    instruments.clock_resolution_s = clock->resolution_s();
    instruments.clock_cost_s = clock->read_cost_s();
  } catch (const std::exception&) {
    clock.reset();  // the device reads the kernel's clock
  }
  host = backends::device_host::make(std::move(options));
  instruments.device = host.get();
  instruments.scratch_folder = scratch_folder();
}

void redirect_output() {
  const int file = ::open((scratch_folder() + "/stdout").c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (file < 0) return;
  ::dup2(file, STDOUT_FILENO);
  ::close(file);
}

}  // namespace ridge::cheats
