// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/resident_memory.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <string>

#include <ridge/base/error.hpp>
#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {

std::optional<resident_memory> parse_resident_memory(std::string_view status) {
  const auto now = to_bytes(value_after(status, "VmRSS"));
  const auto peak = to_bytes(value_after(status, "VmHWM"));
  if (!now || !peak) return std::nullopt;
  return resident_memory{*now, *peak};
}

resident_memory read_resident_memory() {
  const auto found = parse_resident_memory(read_text("/proc/self/status").value_or(""));
  if (!found) throw unavailable("resident memory: /proc/self/status has no VmRSS and VmHWM", "mount procfs");
  return *found;
}

namespace {

std::string file_of(int id, std::string_view name) {
  return "/proc/" + std::to_string(id) + "/" + std::string(name);
}

}  // namespace

bool reset_peak_resident() { return reset_peak_resident_of(getpid()); }

bool reset_peak_resident_of(int id) {
  const int file = open(file_of(id, "clear_refs").c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool done = write(file, "5", 1) == 1;
  close(file);
  return done;
}

namespace {

// The pages of one mapping, in bytes.
struct mapped_pages {
  bool shared = false;  // what is written goes to others
  std::size_t resident = 0, anonymous = 0, own = 0, elsewhere = 0;
  [[nodiscard]] std::size_t written() const {
    return (shared ? resident : std::min(anonymous, own)) + elsewhere;
  }
};

}  // namespace

std::optional<std::size_t> parse_written_bytes(std::string_view smaps) {
  std::size_t total = 0;
  bool any = false;
  mapped_pages pages;
  for (const auto line : split(smaps, '\n')) {
    const auto colon = line.find(':'), space = line.find(' ');
    if (colon == std::string_view::npos || space < colon) {  // "7f00-7f10 rw-s ...": a mapping begins
      total += pages.written();
      const auto rights = line.substr(std::min(space, line.size())).substr(0, 5);
      pages = {.shared = rights == " rw-s" || rights == " rwxs"};
      continue;
    }
    const auto field = line.substr(0, colon);
    const auto bytes = to_bytes(line.substr(colon + 1)).value_or(0);
    any = any || field == "Rss";
    if (field == "Rss") pages.resident = bytes;
    if (field == "Anonymous") pages.anonymous = bytes;
    if (field == "Private_Clean" || field == "Private_Dirty") pages.own += bytes;
    if (field == "Swap" || field == "Private_Hugetlb") pages.elsewhere += bytes;
  }
  return any ? std::optional(total + pages.written()) : std::nullopt;
}

std::optional<memory_of_process> read_memory_of(int id) {
  const auto status = read_text(file_of(id, "status")).value_or("");
  const auto resident = parse_resident_memory(status);
  const auto written = parse_written_bytes(read_text(file_of(id, "smaps")).value_or(""));
  if (!resident || !written) return std::nullopt;
  return memory_of_process{.written_bytes = *written,
                           .resident_bytes = resident->now_bytes,
                           .file_bytes = to_bytes(value_after(status, "RssFile")).value_or(0),
                           .peak_bytes = resident->peak_bytes};
}

std::size_t peak_resident_bytes() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return static_cast<std::size_t>(used.ru_maxrss) * 1024;
}

}  // namespace ridge::host
