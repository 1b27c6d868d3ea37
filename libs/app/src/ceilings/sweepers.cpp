// SPDX-License-Identifier: Apache-2.0
#include "ceilings/sweepers.hpp"

namespace ridge::backends {
namespace probe_host {
std::unique_ptr<probe::intensity_sweeper> make_sweeper();
}  // namespace probe_host
#if RIDGE_WITH_CUDA
namespace probe_cuda {
std::unique_ptr<probe::intensity_sweeper> make_sweeper();
}  // namespace probe_cuda
#endif
}  // namespace ridge::backends

namespace ridge::app {

std::unique_ptr<probe::intensity_sweeper> cpu_sweeper() { return backends::probe_host::make_sweeper(); }

std::unique_ptr<probe::intensity_sweeper> gpu_sweeper() {
#if RIDGE_WITH_CUDA
  return backends::probe_cuda::make_sweeper();
#else
  return nullptr;
#endif
}

}  // namespace ridge::app
