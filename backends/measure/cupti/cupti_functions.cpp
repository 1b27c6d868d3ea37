// SPDX-License-Identifier: Apache-2.0
#include "cupti_functions.hpp"

#include <cstdint>
#include <vector>

#include <fmt/format.h>

#include <ridge/host/shared_library.hpp>

namespace ridge::backends::measure_cupti {
namespace {

std::vector<std::string> candidates() {
  std::vector<std::string> names;
  for (const char* folder :
       {"", "/usr/local/cuda/extras/CUPTI/lib64/", "/usr/local/cuda/targets/x86_64-linux/lib/",
        "/usr/local/cuda/targets/sbsa-linux/lib/", "/usr/local/cuda/lib64/"}) {
    for (const char* file : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
      names.push_back(std::string(folder) + file);
  }
  return names;
}

template <class F>
void find(const host::shared_library& library, F*& function, const char* name) {
  function = library.function<F>(name);
}

std::string remedy_for(CUptiResult code) {
  switch (code) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "the driver lets only administrators profile: load nvidia with "
             "NVreg_RestrictProfilingToAdminUsers=0";
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "another profiler is attached to this process (nsys, ncu): run without it";
    case CUPTI_ERROR_NOT_INITIALIZED:
      return "see whether a driver and a GPU are there (nvidia-smi)";
    case CUPTI_ERROR_NOT_COMPATIBLE:
      return "install the CUPTI of a toolkit that this driver serves, or a newer driver";
    default:
      return "";
  }
}

}  // namespace

result<cupti_functions> load_cupti() {
  try {
    const host::shared_library library(
        candidates(), "CUPTI",
        "install NVIDIA's libcupti (the toolkit has it in extras/CUPTI/lib64), or "
        "add its folder to LD_LIBRARY_PATH");
    cupti_functions f{.library = library.name()};
    find(library, f.register_callbacks, "cuptiActivityRegisterCallbacks");
    find(library, f.enable, "cuptiActivityEnable");
    find(library, f.flush, "cuptiActivityFlushAll");
    find(library, f.next_record, "cuptiActivityGetNextRecord");
    find(library, f.dropped, "cuptiActivityGetNumDroppedRecords");
    find(library, f.subscribe, "cuptiSubscribe");
    find(library, f.callback_name, "cuptiGetCallbackName");
    find(library, f.result_string, "cuptiGetResultString");
    find(library, f.version, "cuptiGetVersion");
    return f;
  } catch (const unavailable& missing) {
    return missing.why();
  }
}

// Since CUDA 13 its version number is that of CUDA: 130000.
result<std::string> find_cupti() {
  const auto loaded = load_cupti();
  if (!loaded) return loaded.why();
  std::uint32_t version = 0;
  if (const auto code = loaded->version(&version); code != CUPTI_SUCCESS)
    return cupti_refusal(*loaded, "cuptiGetVersion", code);
  return fmt::format("CUPTI, version {} of its interface ({})", version, loaded->library);
}

error cupti_refusal(const cupti_functions& functions, std::string_view call, CUptiResult code) {
  const char* said = nullptr;
  if (functions.result_string == nullptr || functions.result_string(code, &said) != CUPTI_SUCCESS)
    said = nullptr;
  return {fmt::format("{} failed: {} (code {})", call, said == nullptr ? "CUPTI refused" : said,
                      static_cast<int>(code)),
          remedy_for(code)};
}

}  // namespace ridge::backends::measure_cupti
