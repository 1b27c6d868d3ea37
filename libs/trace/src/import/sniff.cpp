// SPDX-License-Identifier: Apache-2.0
#include "import/sniff.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <ridge/base/text.hpp>

namespace ridge::trace {
namespace {

using namespace std::string_view_literals;

// A format that names itself by what it begins with; {} in the texts is the file.
struct unreadable {
  std::string_view magic;
  std::string_view message;
  std::string_view remedy;
};

constexpr std::array unreadables{
    unreadable{"NVIDIA Tegra Profiler Report", "{} is a report of Nsight Systems, whose format is not public",
               "run `nsys export --type sqlite {}` and name the .sqlite file that it writes"},
    unreadable{"NVR\0"sv, "{} is a report of Nsight Compute, whose format is not public",
               "run `ncu --import {} --csv --page raw > report.csv` and name report.csv"},
    unreadable{"version https://git-lfs", "{} is a pointer of Git LFS, not the file itself",
               "run `git lfs pull` in its repository, then name it again"},
    unreadable{"\xff\xfe", "{} is text in UTF-16, and JSON and CSV are read in UTF-8",
               "run `iconv -f UTF-16 -t UTF-8 {} > trace.json` and name trace.json"},
    unreadable{"\xfe\xff", "{} is text in UTF-16, and JSON and CSV are read in UTF-8",
               "run `iconv -f UTF-16 -t UTF-8 {} > trace.json` and name trace.json"},
    unreadable{"{\0"sv, "{} is text in UTF-16, and JSON is read in UTF-8",
               "run `iconv -f UTF-16LE -t UTF-8 {} > trace.json` and name trace.json"},
    unreadable{"\0{"sv, "{} is text in UTF-16, and JSON is read in UTF-8",
               "run `iconv -f UTF-16BE -t UTF-8 {} > trace.json` and name trace.json"},
    unreadable{"[\0"sv, "{} is text in UTF-16, and JSON is read in UTF-8",
               "run `iconv -f UTF-16LE -t UTF-8 {} > trace.json` and name trace.json"},
    unreadable{"\0["sv, "{} is text in UTF-16, and JSON is read in UTF-8",
               "run `iconv -f UTF-16BE -t UTF-8 {} > trace.json` and name trace.json"},
    unreadable{"PERFILE2", "{} is data of perf in its binary format",
               "run `perf script -i {} > perf.txt` and name perf.txt"},
};

std::string_view without_blanks(std::string_view head) {
  if (head.starts_with("\xef\xbb\xbf")) head.remove_prefix(3);
  const auto first = head.find_first_not_of(" \t\r\n");
  return first == std::string_view::npos ? std::string_view{} : head.substr(first);
}

bool is_html(std::string_view head) {
  const auto begin = lower_case(without_blanks(head).substr(0, 16));
  return begin.starts_with("<!doctype html") || begin.starts_with("<html") || begin.starts_with("<head");
}

error filled(const unreadable& reason, const std::string& name) {
  return {fmt::format(fmt::runtime(reason.message), name), fmt::format(fmt::runtime(reason.remedy), name)};
}

}  // namespace

std::unique_ptr<unpacker> unpacker_of(std::string_view head) {
  if (begins_gzip(head)) return gzip_unpacker();
  return begins_zstd(head) ? zstd_unpacker() : nullptr;
}

bool is_zip(std::string_view head) {
  return head.starts_with("PK\x03\x04"sv) || head.starts_with("PK\x05\x06"sv);
}

bool is_tar(std::string_view head) { return head.size() >= 512 && head.substr(257, 5) == "ustar"; }

std::optional<error> unreadable_format(std::string_view head, const std::string& name) {
  for (const auto& one : unreadables) {
    if (head.starts_with(one.magic)) return filled(one, name);
  }
  if (without_blanks(head).empty() && head.size() < sniffed_bytes)
    return error{name + " is empty", "take the profile again"};
  if (is_zip(head) || is_tar(head))
    return error{
        name + " is an archive that cannot be looked into: damaged, without files, or inside another one",
        "unpack it and name the folder"};
  if (is_html(head))
    return error{name + " is a page of HTML, not a trace: most likely an error page that was saved",
                 "download the trace again and look at what the server answers"};
  return std::nullopt;
}

}  // namespace ridge::trace
