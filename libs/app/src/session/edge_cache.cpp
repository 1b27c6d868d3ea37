// SPDX-License-Identifier: Apache-2.0
#include "session/edge_cache.hpp"

#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <fstream>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/base/text.hpp>
#include <ridge/host/topology.hpp>

#include "machine/machine.hpp"

namespace ridge::app {
namespace {

namespace fs = std::filesystem;

// Returns the file that holds the code of the experiment: a definition of a type of its own has its table of
// functions where its code is.
fs::path object_of(const experiment& source) {
  const void* const table = *reinterpret_cast<const void* const*>(&*source);
  Dl_info seen{};
  if (dladdr(table, &seen) == 0 || seen.dli_fname == nullptr) return "/proc/self/exe";
  std::error_code failed;
  const fs::path path = seen.dli_fname;
  return path.is_absolute() && fs::exists(path, failed) ? path : fs::path("/proc/self/exe");
}

// Returns 0 for a file that cannot be read.
std::uint64_t digest_of(const fs::path& path) {
  const auto bytes = read_file(path);
  return bytes ? XXH3_64bits(bytes->data(), bytes->size()) : 0;
}

std::string key_of(const experiment& source, const variant_facts& variant) {
  return fmt::format("{}\t{}\t{}", source->id, model::name(variant.backend), variant.name);
}

std::string one_line(std::string text) {
  for (auto& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return text;
}

// One finding a line, its parts separated by tabs.
std::string line_of(const std::string& key, const harness::edge_finding& f) {
  return fmt::format("{}\t{}\t{}\t{}\t{}\n", key, f.sizes, model::name(f.failure), f.signal,
                     one_line(f.refused));
}

void read_line(std::string_view line, std::map<std::string, harness::edge_finding>& all) {
  constexpr std::size_t parts = 7;
  const auto words = split(line, '\t');
  if (words.size() != parts) return;
  harness::edge_finding f{.refused = std::string(words[6]), .signal = std::string(words[5])};
  const auto count = words[3];
  const auto read = std::from_chars(count.data(), count.data() + count.size(), f.sizes);
  const auto failure = model::named<model::failure_kind>(words[4]);
  if (read.ec != std::errc{} || !failure) return;
  f.failure = *failure;
  all[fmt::format("{}\t{}\t{}", words[0], words[1], words[2])] = std::move(f);
}

}  // namespace

std::string edge_file_name(const fs::path& object) {
  const auto own = digest_of("/proc/self/exe");
  const auto code = object == "/proc/self/exe" ? own : digest_of(object);
  return fmt::format("edges-{}-{:016x}-{:016x}", machine_name(host::read_topology()), code, own);
}

const fs::path& edge_cache::file_of(const experiment& source) {
  const auto object = object_of(source);
  auto& file = files_[object.string()];
  if (file.empty()) file = folder_ / edge_file_name(object);
  return file;
}

edge_cache::findings& edge_cache::of_file(const fs::path& file) {
  const auto [place, is_new] = read_.try_emplace(file);
  if (!is_new) return place->second;
  if (const auto text = read_file(file)) {
    for (const auto line : split(*text, '\n')) read_line(line, place->second);
  }
  return place->second;
}

std::optional<harness::edge_finding> edge_cache::find(const experiment& source,
                                                      const variant_facts& variant) {
  const auto& all = of_file(file_of(source));
  const auto found = all.find(key_of(source, variant));
  return found == all.end() ? std::nullopt : std::optional(found->second);
}

void edge_cache::keep(const experiment& source, const variant_facts& variant,
                      const harness::edge_finding& finding) {
  const auto& file = file_of(source);
  const auto key = key_of(source, variant);
  of_file(file)[key] = finding;
  // A line is written at once, so that processes that try the same build at the same time do not mix their
  // lines.
  const auto line = line_of(key, finding);
  const int opened = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (opened < 0) return;
  (void)!write(opened, line.data(), line.size());
  close(opened);
}

}  // namespace ridge::app
