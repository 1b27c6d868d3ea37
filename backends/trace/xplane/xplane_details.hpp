// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <ridge/trace/device_work.hpp>

namespace ridge::backends::trace_xplane {

// Add to a kernel, copy or fill what its details say, as words like "regs:32 grid:4,1,1 block:256,1,1" or
// "kind_src:pinned kind_dst:device size:4096 dest:0 async:1".
void read_kernel_details(std::string_view details, trace::device_work& work);
void read_copy_details(std::string_view details, trace::device_work& work);
void read_fill_details(std::string_view details, trace::device_work& work);

}  // namespace ridge::backends::trace_xplane
