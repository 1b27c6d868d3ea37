// SPDX-License-Identifier: Apache-2.0
#include "cupti_calls.hpp"

#include <dlfcn.h>

#include <array>

namespace ridge::backends::profile_cupti {
namespace {

constexpr std::array files{"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

template <class F>
void find(void* library, F*& function, const char* name) {
  function = reinterpret_cast<F*>(dlsym(library, name));
}

}  // namespace

void* open_cupti() {
  for (const auto* file : files) {
    if (auto* already = dlopen(file, RTLD_NOW | RTLD_NOLOAD)) return already;
  }
  for (const char* folder :
       {"", "/usr/local/cuda/extras/CUPTI/lib64/", "/usr/local/cuda/targets/x86_64-linux/lib/",
        "/usr/local/cuda/targets/sbsa-linux/lib/", "/usr/local/cuda/lib64/", "/usr/local/cuda/lib/"}) {
    for (const auto* file : files) {
      if (auto* opened = dlopen((std::string(folder) + file).c_str(), RTLD_NOW | RTLD_LOCAL)) return opened;
    }
  }
  return nullptr;
}

cupti_calls calls_in(void* library) {
  cupti_calls c;
  find(library, c.register_clock, "cuptiActivityRegisterTimestampCallback");
  find(library, c.register_buffers, "cuptiActivityRegisterCallbacks");
  find(library, c.enable, "cuptiActivityEnable");
  find(library, c.flush, "cuptiActivityFlushAll");
  find(library, c.flush_period, "cuptiActivityFlushPeriod");
  find(library, c.next_record, "cuptiActivityGetNextRecord");
  find(library, c.dropped, "cuptiActivityGetNumDroppedRecords");
  find(library, c.set_thread_ids, "cuptiSetThreadIdType");
  find(library, c.callback_name, "cuptiGetCallbackName");
  find(library, c.result_string, "cuptiGetResultString");
  return c;
}

cuda_versions loaded_cuda_versions() {
  cuda_versions v;
  if (auto* driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD)) {
    decltype(&::cuDriverGetVersion) get = nullptr;
    find(driver, get, "cuDriverGetVersion");
    if (get != nullptr) get(&v.driver);
    dlclose(driver);
  }
  return v;
}

}  // namespace ridge::backends::profile_cupti
