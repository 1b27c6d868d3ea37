// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ridge::trace {

// Lets this process's heap grow in large pages, where the system grants them on request, and keeps what is
// freed: analyses allocate and free rows of megabytes, and a fault for every 4 KiB of them costs more than
// their work. For a program that reads traces, at its start; it changes malloc() for all of the process, so a
// library must not call it. Under a sanitizer, and where malloc() is not that of glibc, nothing happens.
void grow_heap_in_large_pages();

}  // namespace ridge::trace
