// SPDX-License-Identifier: Apache-2.0
#include <ridge/profile/symbols.hpp>

#include <cxxabi.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include <ridge/host/open_file.hpp>

namespace ridge::profile {
namespace {

// A whole file in memory, read-only.
class mapped_file {
 public:
  explicit mapped_file(const std::string& path) {
    const auto file = host::open_file::try_open(path, O_RDONLY);
    struct stat facts {};
    if (!file || fstat(file->descriptor(), &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_size == 0)
      return;
    size_ = static_cast<std::size_t>(facts.st_size);
    data_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file->descriptor(), 0);
  }
  ~mapped_file() {
    if (data_ != MAP_FAILED) munmap(data_, size_);
  }
  mapped_file(const mapped_file&) = delete;
  mapped_file& operator=(const mapped_file&) = delete;
  [[nodiscard]] std::string_view bytes() const {
    return data_ == MAP_FAILED ? std::string_view()
                               : std::string_view(static_cast<const char*>(data_), size_);
  }

 private:
  void* data_ = MAP_FAILED;
  std::size_t size_ = 0;
};

template <class T>
std::optional<T> structure_at(std::string_view bytes, std::uint64_t offset) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  T made;
  std::memcpy(&made, bytes.data() + offset, sizeof(T));
  return made;
}

std::string readable(const char* mangled) {
  int status = 0;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : mangled;
  std::free(text);
  return name;
}

std::string_view text_at(std::string_view bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) return {};
  const auto rest = bytes.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

std::vector<Elf64_Shdr> sections_of(std::string_view bytes, const Elf64_Ehdr& header) {
  std::vector<Elf64_Shdr> sections;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    if (const auto s = structure_at<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr)))
      sections.push_back(*s);
  }
  return sections;
}

}  // namespace

elf_symbols::elf_symbols(const std::string& path) {
  const mapped_file file(path);
  read(file.bytes());
}

elf_symbols elf_symbols::of(std::string_view bytes) {
  elf_symbols made;
  made.read(bytes);
  return made;
}

void elf_symbols::read(std::string_view bytes) {
  const auto header = structure_at<Elf64_Ehdr>(bytes, 0);
  if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
      header->e_ident[EI_CLASS] != ELFCLASS64)
    return;
  for (std::uint64_t i = 0; i < header->e_phnum; ++i) {
    const auto p = structure_at<Elf64_Phdr>(bytes, header->e_phoff + i * sizeof(Elf64_Phdr));
    if (p && p->p_type == PT_LOAD) segments_.push_back({p->p_offset, p->p_filesz, p->p_vaddr});
  }
  const auto sections = sections_of(bytes, *header);
  for (const auto wanted : {SHT_SYMTAB, SHT_DYNSYM}) {
    const auto table = std::ranges::find(sections, static_cast<Elf64_Word>(wanted), &Elf64_Shdr::sh_type);
    if (table == sections.end() || table->sh_link >= sections.size()) continue;
    const auto names = bytes.substr(std::min<std::size_t>(sections[table->sh_link].sh_offset, bytes.size()));
    for (std::uint64_t at = 0; at + sizeof(Elf64_Sym) <= table->sh_size; at += sizeof(Elf64_Sym)) {
      const auto s = structure_at<Elf64_Sym>(bytes, table->sh_offset + at);
      if (!s) break;
      const auto kind = ELF64_ST_TYPE(s->st_info);
      if ((kind != STT_FUNC && kind != STT_GNU_IFUNC) || s->st_shndx == SHN_UNDEF || s->st_value == 0)
        continue;
      functions_.push_back({s->st_value, s->st_size, std::string(text_at(names, s->st_name))});
    }
    if (!functions_.empty()) break;
  }
  std::ranges::stable_sort(functions_, {}, &function::address);
}

std::string elf_symbols::function_at(std::uint64_t file_offset) const {
  const auto in = std::ranges::find_if(segments_, [&](const segment& s) {
    return file_offset >= s.offset && file_offset - s.offset < s.length;
  });
  if (in == segments_.end()) return {};
  const auto address = file_offset - in->offset + in->address;
  const auto after = std::ranges::upper_bound(functions_, address, {}, &function::address);
  if (after == functions_.begin()) return {};
  const auto& f = *std::prev(after);
  // Hand-written assembly often has no length; such a function reaches to the next one.
  if (f.length != 0 && address >= f.address + f.length) return {};
  return readable(f.name.c_str());
}

const std::string& symbol_cache::function_at(const std::string& file, std::uint64_t file_offset) {
  auto at = files_.find(file);
  if (at == files_.end()) at = files_.emplace(file, known_file{elf_symbols(file)}).first;
  const auto [known, fresh] = at->second.functions.try_emplace(file_offset);
  if (fresh) known->second = at->second.symbols.function_at(file_offset);
  return known->second;
}

}  // namespace ridge::profile
