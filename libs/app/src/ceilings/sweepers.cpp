// SPDX-License-Identifier: Apache-2.0
#include "ceilings/sweepers.hpp"

#include <ridge/app/backends.hpp>

namespace ridge::app {
namespace {

std::unique_ptr<probe::intensity_sweeper> sweeper_of(std::string_view backend) {
  const auto make = find_factory<std::unique_ptr<probe::intensity_sweeper>()>(probe_backends(), backend);
  return make == nullptr ? nullptr : make();
}

}  // namespace

std::unique_ptr<probe::intensity_sweeper> cpu_sweeper() { return sweeper_of("host"); }

std::unique_ptr<probe::intensity_sweeper> gpu_sweeper() { return sweeper_of("cuda"); }

}  // namespace ridge::app
