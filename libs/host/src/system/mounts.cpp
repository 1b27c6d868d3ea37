// SPDX-License-Identifier: Apache-2.0
#include <ridge/host/mounts.hpp>

#include <algorithm>
#include <array>

#include <ridge/base/text.hpp>
#include <ridge/host/text_file.hpp>

namespace ridge::host {
namespace {

// Replaces \040 and similar codes, which stand for blanks, tabs, newlines and backslashes.
std::string unescaped(std::string_view text) {
  const auto octal = [](char c) { return c >= '0' && c <= '7'; };
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = text.substr(i, 4);
    if (code.size() == 4 && code[0] == '\\' && std::ranges::all_of(code.substr(1), octal)) {
      out += static_cast<char>((code[1] - '0') * 64 + (code[2] - '0') * 8 + (code[3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::vector<mount> parse_mounts(std::string_view mountinfo) {
  std::vector<mount> all;
  for (const auto line : split(mountinfo, '\n')) {
    const auto words = split(line, ' ');
    const auto dash = std::ranges::find(words, std::string_view("-"));
    if (words.size() < 6 || words.end() - dash < 4) continue;
    mount one{.point = unescaped(words[4]),
              .file_system = std::string(dash[1]),
              .source = unescaped(dash[2]),
              .device = std::string(words[2]),
              .options = std::string(words[5]) + ',' + std::string(dash[3])};
    std::erase_if(all, [&](const mount& m) { return m.point == one.point; });
    all.push_back(std::move(one));
  }
  return all;
}

std::vector<mount> read_mounts(const std::filesystem::path& root) {
  return parse_mounts(read_text(root / "proc/self/mountinfo").value_or(""));
}

bool is_remote(std::string_view file_system) {
  constexpr std::array<std::string_view, 16> remote{
      "nfs",    "nfs4",   "cifs", "smb3",     "lustre",     "ceph",         "fuse.ceph", "gpfs",
      "beegfs", "wekafs", "9p",   "virtiofs", "fuse.sshfs", "fuse.juicefs", "glusterfs", "fuse.s3fs"};
  return std::ranges::find(remote, file_system) != remote.end();
}

}  // namespace ridge::host
