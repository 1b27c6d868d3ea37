// SPDX-License-Identifier: Apache-2.0
#include "files/elf_file.hpp"

#include <elf.h>

#include <algorithm>

namespace ridge::host {

void byte_reader::skip(std::uint64_t count) {
  good_ = good_ && count <= bytes_.size() - offset_;
  if (good_) offset_ += static_cast<std::size_t>(count);
}

std::uint64_t byte_reader::value(std::size_t bytes) {
  const auto begin = offset_;
  skip(bytes);
  if (!good_) return 0;
  std::uint64_t made = 0;
  for (std::size_t i = bytes; i > 0; --i)
    made = made << 8u | static_cast<unsigned char>(bytes_[begin + i - 1]);
  return made;
}

std::uint64_t byte_reader::leb128() {
  std::uint64_t made = 0;
  for (unsigned shift = 0; good_; shift += 7) {
    const auto byte = value(1);
    if (shift < 64) made |= (byte & 0x7fu) << shift;
    if ((byte & 0x80u) == 0) break;
  }
  return made;
}

std::string_view byte_reader::text() {
  const auto end = bytes_.find('\0', std::min(offset_, bytes_.size()));
  good_ = good_ && end != std::string_view::npos;
  if (!good_) return {};
  const auto made = bytes_.substr(offset_, end - offset_);
  offset_ = end + 1;
  return made;
}

bool elf_file::valid() const {
  return bytes_.size() >= sizeof(Elf64_Ehdr) && bytes_.starts_with(ELFMAG) &&
         bytes_[EI_CLASS] == ELFCLASS64 && bytes_[EI_DATA] == ELFDATA2LSB;
}

std::optional<std::string_view> elf_file::section(std::string_view name) const {
  if (!valid()) return std::nullopt;
  Elf64_Ehdr header{};
  std::memcpy(&header, bytes_.data(), sizeof header);
  const auto row = [&](std::size_t i) -> std::optional<Elf64_Shdr> {
    const auto at = header.e_shoff + i * sizeof(Elf64_Shdr);
    if (header.e_shentsize != sizeof(Elf64_Shdr) || at > bytes_.size() ||
        bytes_.size() - at < sizeof(Elf64_Shdr))
      return std::nullopt;
    Elf64_Shdr found{};
    std::memcpy(&found, bytes_.data() + at, sizeof found);
    return found;
  };
  const auto body = [&](const Elf64_Shdr& s) -> std::string_view {
    if (s.sh_type == SHT_NOBITS || s.sh_offset > bytes_.size() || s.sh_size > bytes_.size() - s.sh_offset)
      return {};
    return std::string_view(bytes_).substr(s.sh_offset, s.sh_size);
  };
  const auto names = row(header.e_shstrndx);
  if (!names) return std::nullopt;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto s = row(i);
    if (!s || s->sh_name >= body(*names).size()) continue;
    if (byte_reader(body(*names), s->sh_name).text() != name) continue;
    if ((s->sh_flags & SHF_COMPRESSED) != 0 || body(*s).empty()) return std::nullopt;
    return body(*s);
  }
  return std::nullopt;
}

}  // namespace ridge::host
