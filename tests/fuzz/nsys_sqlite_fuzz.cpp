// SPDX-License-Identifier: Apache-2.0
// Any bytes as an export of Nsight Systems: a trace that holds together, or an error with a reason.
#include <cstdint>
#include <cstdlib>

#include <ridge/base/error.hpp>
#include <ridge/trace/importer.hpp>

namespace ridge::backends::trace_nsys_sqlite {
const trace::importer& nsys_sqlite();
}  // namespace ridge::backends::trace_nsys_sqlite

namespace {

void check(const ridge::trace::trace& t) {
  for (const auto& track : t.tracks) {
    if (track.process >= t.processes.size() || track.first + track.count > t.events.size()) std::abort();
  }
  for (const auto& w : t.works) {
    if (w.end_ns < w.start_ns || w.event >= t.events.size()) std::abort();
    if (w.launch != ridge::trace::none && w.launch >= t.events.size()) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ridge::trace;
  try {
    const auto source = source_of({reinterpret_cast<const char*>(data), size});
    const auto made =
        ridge::backends::trace_nsys_sqlite::nsys_sqlite().read(*source, {}, {.memory_bytes = 1 << 20});
    if (made.ok())
      check(*made);
    else if (made.why().message.empty())
      std::abort();
  } catch (const ridge::failure&) {
  }
  return 0;
}
