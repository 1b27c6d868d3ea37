// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <cupti.h>

#include <ridge/base/error.hpp>
#include <ridge/base/result.hpp>

namespace ridge::backends::measure_cupti {

// The few functions of CUPTI that are used. Records of an older library lack only fields at their ends, which
// are not read.
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
  std::string library{};  // the library from which they were taken
};

// Opens the library; returns an error where there is none.
[[nodiscard]] result<cupti_functions> load_cupti();

// Returns the library that would be opened, with the version of its interface; an error where there is none.
[[nodiscard]] result<std::string> find_cupti();

// Returns what a failed call means, and what to do.
[[nodiscard]] error cupti_refusal(const cupti_functions& functions, std::string_view call, CUptiResult code);

}  // namespace ridge::backends::measure_cupti
