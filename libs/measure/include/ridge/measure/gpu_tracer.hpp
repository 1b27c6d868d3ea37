// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/measure/gpu_trace.hpp>

namespace ridge::measure {

// Records what this process does on its GPUs. It slows the host's calls and some kernels down, so no process
// that times has one; it is made before the process opens a GPU.
class gpu_tracer {
 public:
  virtual ~gpu_tracer() = default;
  // Why there is none, in words; empty where it works.
  [[nodiscard]] virtual std::string_view unavailable_because() const = 0;
  // Called while the GPUs of this process are idle; what was recorded before is forgotten.
  virtual void start() = 0;
  // Waits for the GPUs that this process uses, then hands over what was recorded since start; nothing where
  // unavailable. Throws failure where the tracer or a GPU no longer answers.
  [[nodiscard]] virtual gpu_trace stop() = 0;
};

}  // namespace ridge::measure
