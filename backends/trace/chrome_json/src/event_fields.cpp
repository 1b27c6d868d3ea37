// SPDX-License-Identifier: Apache-2.0
#include "event_fields.hpp"

#include "key_table.hpp"

namespace ridge::backends::trace_chrome_json {
trace::category category_of(std::string_view text) {
  using c = trace::category;
  static const key_table<c> table({{"kernel", c::kernel},
                                   {"Kernel", c::kernel},
                                   {"gpu_memcpy", c::copy},
                                   {"Memcpy", c::copy},
                                   {"gpu_memset", c::fill},
                                   {"Memset", c::fill},
                                   {"cuda_runtime", c::api},
                                   {"cuda_driver", c::api},
                                   {"hip_runtime", c::api},
                                   {"xpu_runtime", c::api},
                                   {"mtia_runtime", c::api},
                                   {"privateuse1_runtime", c::api},
                                   {"privateuse1_driver", c::api},
                                   {"Runtime", c::api},
                                   {"cpu_op", c::op},
                                   {"Operator", c::op},
                                   {"user_annotation", c::annotation},
                                   {"gpu_user_annotation", c::device_annotation},
                                   {"python_function", c::python},
                                   {"cuda_sync", c::synchronization},
                                   {"cuda_event", c::device_event},
                                   {"overhead", c::overhead},
                                   {"off_cpu", c::os_call},
                                   {"cuda_profiler_range", c::counter_range}},
                                  c::other);
  return table.find(text);
}

bool needs_args(char phase, trace::category kind) {
  switch (phase) {
    case 'X':
    case 'B':
      return kind != trace::category::python && kind != trace::category::overhead;
    case 'i':
    case 'I':
    case 'C':
    case 'M':
      return true;
    default:
      return false;
  }
}

}  // namespace ridge::backends::trace_chrome_json
