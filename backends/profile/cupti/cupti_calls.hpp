// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <cupti.h>

namespace ridge::backends::profile_cupti {

// The functions of CUPTI that are used, found at run time; those that an older CUPTI lacks are nullptr.
struct cupti_calls {
  decltype(&::cuptiActivityRegisterTimestampCallback) register_clock = nullptr;
  decltype(&::cuptiActivityRegisterCallbacks) register_buffers = nullptr;
  decltype(&::cuptiActivityEnable) enable = nullptr;
  decltype(&::cuptiActivityFlushAll) flush = nullptr;
  decltype(&::cuptiActivityFlushPeriod) flush_period = nullptr;
  decltype(&::cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&::cuptiActivityGetNumDroppedRecords) dropped = nullptr;
  decltype(&::cuptiSetThreadIdType) set_thread_ids = nullptr;
  decltype(&::cuptiGetCallbackName) callback_name = nullptr;
  decltype(&::cuptiGetResultString) result_string = nullptr;

  [[nodiscard]] bool whole() const {
    return register_buffers && enable && flush && next_record && dropped && callback_name;
  }
};

// Returns the handle of CUPTI's library: the one that the program has loaded, else one found by the loader or
// in CUDA's usual folders; nullptr where there is none.
[[nodiscard]] void* open_cupti();
[[nodiscard]] cupti_calls calls_in(void* library);

// Return the driver's and the runtime's versions (13000), or 0 where they are not loaded.
struct cuda_versions {
  int driver = 0, runtime = 0;
};
[[nodiscard]] cuda_versions loaded_cuda_versions();

}  // namespace ridge::backends::profile_cupti
