// SPDX-License-Identifier: Apache-2.0
// trace_generator FILE EVENTS [SEED]: writes an invented trace; 1900000 events are 500 MB.
// trace_generator --rocprofv3 FILE RECORDS: one in the JSON of rocprofv3; 1000000 records are 307 MB.
// trace_generator FILE EVENTS SEED RANK RANKS [LATE_RANK]: one rank of a job of steps and all-reduces, to
// which rank LATE_RANK (0) comes late.
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "generator/rocprof_text.hpp"
#include "generator/trace_text.hpp"

int main(int count, char** arguments) {
  using namespace ridge::trace::generator;
  const bool rocprof = count > 1 && std::string_view(arguments[1]) == "--rocprofv3";
  count -= rocprof, arguments += rocprof;
  if (count < 3 || count > 7 || count == 5)
    return std::fputs(
               "usage: trace_generator FILE EVENTS [SEED [RANK RANKS [LATE_RANK]]]\n"
               "       trace_generator --rocprofv3 FILE RECORDS\n",
               stderr),
           64;
  std::ofstream file(arguments[1], std::ios::binary);
  if (!file) return std::fprintf(stderr, "cannot write %s\n", arguments[1]), 73;
  const auto number = [&](int at, unsigned long long other) {
    return at < count ? std::strtoull(arguments[at], nullptr, 10) : other;
  };
  const auto sink = [&file](std::string_view part) {
    file.write(part.data(), static_cast<std::streamsize>(part.size()));
  };
  if (rocprof) return write_rocprof_text(number(2, 0), sink), file.flush() ? 0 : 74;
  std::optional<rank_of_job> job;
  if (count > 5)
    job = {.rank = static_cast<int>(number(4, 0)),
           .ranks = static_cast<int>(number(5, 1)),
           .late_rank = static_cast<int>(number(6, 0))};
  trace_text text(number(2, 0), number(3, 1), job);
  text.write(sink);
  return file.flush() ? 0 : 74;
}
