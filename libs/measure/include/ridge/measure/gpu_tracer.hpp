// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/measure/gpu_trace.hpp>

namespace ridge::measure {

// Records what this process does on its GPUs. It slows down the host's calls and some kernels, so a process
// that times never has one. It is made before the process opens a GPU.
class gpu_tracer {
 public:
  virtual ~gpu_tracer() = default;
  // Returns in words why there is none; empty where it works.
  [[nodiscard]] virtual std::string_view unavailable_because() const = 0;
  // Starts recording and discards what was recorded before. Call it while the GPUs of this process are idle.
  virtual void start() = 0;
  // Waits for the GPUs that this process uses, then returns what was recorded since start; an empty trace
  // where unavailable. Throws failure where the tracer or a GPU no longer answers.
  [[nodiscard]] virtual gpu_trace stop() = 0;
};

}  // namespace ridge::measure
