// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ridge/trace/copy_ends.hpp>

namespace ridge::backends::trace_chrome_json {

using trace::copy_ends;
using trace::copy_ends_of;

}  // namespace ridge::backends::trace_chrome_json
