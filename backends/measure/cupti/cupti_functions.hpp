// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <cupti.h>

#include <ridge/base/error.hpp>
#include <ridge/base/result.hpp>

namespace ridge::backends::measure_cupti {

// The functions of CUPTI that Ridge uses. Records of an older library lack only fields at their ends, which
// are never read.
struct cupti_functions {
  decltype(&::cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&::cuptiActivityEnable) enable = nullptr;
  decltype(&::cuptiActivityFlushAll) flush = nullptr;
  decltype(&::cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&::cuptiActivityGetNumDroppedRecords) dropped = nullptr;
  decltype(&::cuptiSubscribe) subscribe = nullptr;
  decltype(&::cuptiGetCallbackName) callback_name = nullptr;
  decltype(&::cuptiGetResultString) result_string = nullptr;
  decltype(&::cuptiGetVersion) version = nullptr;
  std::string library{};  // name of the library that they are from
};

// Opens CUPTI and returns its functions, or an error that says what is missing and what to do.
[[nodiscard]] result<cupti_functions> load_cupti();

// Name and interface version of the library that load_cupti() opens, or an error that says what is missing.
[[nodiscard]] result<std::string> find_cupti();

// The error for a `call` that returned `code`: CUPTI's description of the code, and a remedy where one is
// known.
[[nodiscard]] error cupti_refusal(const cupti_functions& functions, std::string_view call, CUptiResult code);

}  // namespace ridge::backends::measure_cupti
