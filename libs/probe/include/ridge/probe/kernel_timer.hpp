// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <ridge/base/result.hpp>
#include <ridge/model/kernel_call.hpp>

namespace ridge::probe {

// The machine whose kernels are timed, in the words of its driver or system.
struct timed_machine {
  std::string name{};     // "NVIDIA H100 80GB HBM3", "AMD EPYC 9654"
  std::string driver{};   // "580.95"; of a CPU empty
  std::string runtime{};  // "CUDA 13.0"; of a CPU the instruction set that its kernels use
  bool is_gpu = true;
  bool has_fp8 = false;     // matrix units for it
  int gpus = 1;             // that can take part in collectives
  double memory_bytes = 0;  // of a CPU: what this process may use
};

// The time of one call: the median of several replays, and the distance between their quartiles over it.
struct kernel_timing {
  double seconds = 0, spread = 0;
  int samples = 0;
  std::string implementation{};  // what ran: "cuBLASLt 13.0.2"
};

// Times the kernels of serving steps on one machine, with operands that no cache holds. Changes neither
// clocks nor power limits. Used by one thread.
class kernel_timer {
 public:
  virtual ~kernel_timer() = default;
  // The machine; the same for as long as the timer lives.
  [[nodiscard]] virtual const timed_machine& machine() const = 0;
  // Times one call. The error says why this machine cannot run it: a library that is missing, a type that the
  // units lack, memory that is too small.
  [[nodiscard]] virtual result<kernel_timing> time(const model::kernel_call& call) = 0;
};

}  // namespace ridge::probe
