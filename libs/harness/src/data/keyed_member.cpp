// SPDX-License-Identifier: Apache-2.0
#include "data/keyed_member.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include <ridge/base/error.hpp>
#include <ridge/host/file_cache.hpp>

namespace ridge::harness {
namespace {

constexpr std::size_t line_bytes = 64;
constexpr std::size_t lines_per_touched_line = 256;
constexpr std::size_t exchanges_per_touch = 4;

bool is_drawn(const array_record& a) { return a.use == use::in || a.use == use::inout; }

bool by_element(const array_record& a) {
  return is_drawn(a) && !std::holds_alternative<permutation>(a.distribution) &&
         !std::holds_alternative<filled_by>(a.distribution);
}

void fill_whole(device::device& device, const array_record& a, std::uint64_t key) {
  if (const auto* by_host = std::get_if<filled_by>(&a.distribution)) {
    std::vector<std::byte> staged(a.bytes().size());
    by_host->fill(staged, key);
    device.copy_from_host(a.bytes(), staged);
  } else {
    device.fill(a.bytes(), a.type, a.distribution, key, 0, a.count);
  }
}

std::size_t elements_per_line(const array_record& a) {
  return std::max<std::size_t>(line_bytes / size_of(a.type), 1);
}

void touch_lines(device::device& device, const array_record& a, std::span<std::byte> bytes,
                 std::uint64_t key) {
  const auto per_line = elements_per_line(a);
  const auto lines = (a.count + per_line - 1) / per_line;
  std::vector<device::part> parts(std::max<std::size_t>(lines / lines_per_touched_line, lines > 0 ? 1 : 0));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto first = mix_keys(key, i) % lines * per_line;
    parts[i] = {first, std::min(per_line, a.count - first)};
  }
  device.fill_parts(bytes, a.type, a.distribution, key, parts);
}

// Exchanges some pieces of the lower half with pieces of the upper half: what was a permutation stays one.
void exchange_lines(device::device& device, const array_record& a, std::span<std::byte> bytes,
                    std::span<std::byte> spare, std::uint64_t key) {
  const auto half = a.count / 2, piece = std::min(elements_per_line(a), half), size = size_of(a.type);
  if (piece == 0) return;
  for (std::size_t i = 0; i < exchanges_per_touch; ++i) {
    const auto low = bytes.subspan(mix_keys(key, 2 * i) % (half - piece + 1) * size, piece * size);
    const auto high =
        bytes.subspan((half + mix_keys(key, 2 * i + 1) % (a.count - half - piece + 1)) * size, piece * size);
    const auto kept = spare.first(piece * size);
    device.copy(kept, low);
    device.copy(low, high);
    device.copy(high, kept);
  }
}

}  // namespace

std::uint64_t mix_keys(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  std::uint64_t z = a;
  for (const auto next : {b, c}) {
    z += 0x9e3779b97f4a7c15u + next;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    z ^= z >> 31;
  }
  return z;
}

keyed_member::keyed_member(std::unique_ptr<ridge::member> m) : member_(std::move(m)) {
  for (const auto& a : member_->memory.arrays()) {
    has_inouts_ = has_inouts_ || a.use == use::inout;
    has_files_ = has_files_ || a.use == use::file;
  }
}

void keyed_member::rekey(std::uint64_t base) {
  const bool same_files = has_files_ && written_ == base;
  state_ = {base, 0};
  std::uint64_t index = 0;
  for (const auto& a : member_->memory.arrays()) {
    const auto key = mix_keys(base, ++index);
    if (a.use == use::file) {
      if (!same_files) write_file(a, key);
    } else if (is_drawn(a)) {
      fill_whole(where(), a, key);
    }
  }
  written_ = base;
  save_inouts();
}

void keyed_member::touch() {
  ++state_.touches;
  std::uint64_t index = 0;
  for (const auto& a : member_->memory.arrays()) {
    ++index;
    const auto key = mix_keys(state_.base, index, state_.touches);
    if (by_element(a)) touch_lines(where(), a, drawn_bytes(a), key);
    if (is_drawn(a) && std::holds_alternative<permutation>(a.distribution)) {
      if (!spare_) spare_ = where().allocate({.bytes = 2 * line_bytes});
      exchange_lines(where(), a, drawn_bytes(a), spare_->bytes(), key);
    }
  }
  restore_inouts();
}

// Where the drawn data of an array are kept: a call changes an inout itself, never what it was drawn as.
std::span<std::byte> keyed_member::drawn_bytes(const array_record& array) {
  if (array.use != use::inout) return array.bytes();
  std::size_t before = 0;
  for (const auto& a : member_->memory.arrays()) {
    if (&a == &array) break;
    if (a.use == use::inout) ++before;
  }
  return pristine_.at(before)->bytes();
}

void keyed_member::restore(key_state state) {
  rekey(state.base);  // also when nothing seems to have changed: a variant may have written what it must not
  while (state_.touches < state.touches) touch();
}

void keyed_member::poison_all() {
  for (const auto& a : member_->memory.arrays()) where().poison(a.bytes());
}

void keyed_member::poison_outputs() {
  for (const auto& a : member_->memory.arrays()) {
    if (a.use == use::out) where().poison(a.bytes());
  }
}

void keyed_member::put_old_results_in_outputs() {
  for (const auto& a : member_->memory.arrays()) {
    if (a.use != use::out) continue;
    const auto half = a.count / 2 * size_of(a.type);
    if (half > 0) where().copy(a.bytes().last(half), a.bytes().first(half));
  }
}

void keyed_member::restore_inouts() {
  if (!has_inouts_) return;
  std::size_t next = 0;
  for (const auto& a : member_->memory.arrays()) {
    if (a.use == use::inout) where().copy(a.bytes(), pristine_[next++]->bytes());
  }
}

void keyed_member::save_inouts() {
  if (!has_inouts_) return;
  std::size_t next = 0;
  for (const auto& a : member_->memory.arrays()) {
    if (a.use != use::inout) continue;
    if (next == pristine_.size()) pristine_.push_back(where().allocate({.bytes = a.bytes().size()}));
    where().copy(pristine_[next++]->bytes(), a.bytes());
  }
}

void keyed_member::drop_files_from_cache() {
  for (const auto& a : member_->memory.arrays()) {
    if (a.use == use::file) host::drop_from_cache(a.file.path);
  }
}

void keyed_member::copy_inputs_from(const keyed_member& same_problem) {
  const auto& theirs = same_problem.get().memory.arrays();
  auto& ours = member_->memory.arrays();
  std::size_t inouts = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].use == use::in) {
      where().copy_from_host(ours[i].bytes(), theirs[i].bytes());
    } else if (ours[i].use == use::inout) {
      where().copy_from_host(ours[i].bytes(), same_problem.pristine_.at(inouts++)->bytes());
    } else if (ours[i].use == use::file) {
      // The same data lie there already; a file takes longer to write than a call to run.
      if (written_ != same_problem.state_.base)
        write_file(ours[i], mix_keys(same_problem.state_.base, i + 1));
    }
  }
  written_ = same_problem.state_.base;
  state_ = same_problem.state_;
  save_inouts();
}

void keyed_member::write_file(const array_record& record, std::uint64_t key) const {
  constexpr std::size_t chunk_bytes = std::size_t{1} << 20;
  const auto element = size_of(record.type);
  const auto* by_host = std::get_if<filled_by>(&record.distribution);
  const auto per_chunk = by_host ? std::max<std::size_t>(record.count, 1) : chunk_bytes / element;
  std::vector<std::byte> chunk(per_chunk * element);
  std::ofstream out(record.file.path, std::ios::binary | std::ios::trunc);
  for (std::size_t first = 0; out && first < record.count; first += per_chunk) {
    const auto count = std::min(per_chunk, record.count - first);
    const auto bytes = std::span(chunk).first(count * element);
    if (by_host) {
      by_host->fill(bytes, key);
    } else {
      where().fill(bytes, record.type, record.distribution, key, first, record.count);
    }
    out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }
  out.close();
  if (!out) {
    throw io_failure("write", record.file.path, errno ? errno : EIO,
                     "point RIDGE_SCRATCH at a folder with room for the experiment's data file");
  }
}

void keyed_member::copy_arrays_from(const keyed_member& elsewhere) {
  const auto& theirs = elsewhere.get().memory.arrays();
  auto& ours = member_->memory.arrays();
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i].use == use::file) {
      if (written_ != elsewhere.written_)
        std::filesystem::copy_file(theirs[i].file.path, ours[i].file.path,
                                   std::filesystem::copy_options::overwrite_existing);
    } else {
      elsewhere.where().copy_to_host(ours[i].bytes(), theirs[i].bytes());
    }
  }
  written_ = elsewhere.written_;
  state_ = elsewhere.state_;
}

void keyed_member::copy_pristine_from(const keyed_member& elsewhere) {
  std::size_t next = 0;
  for (const auto& a : member_->memory.arrays()) {
    if (a.use == use::inout) elsewhere.where().copy_to_host(a.bytes(), elsewhere.pristine_[next++]->bytes());
  }
  save_inouts();
}

std::uint64_t keyed_member::inputs_digest() const {
  std::uint64_t all = 0;
  for (const auto& a : member_->memory.arrays()) {
    if (a.use == use::in) all = mix_keys(all, where().digest(a.bytes()));
  }
  return all;
}

std::string keyed_member::damage() const {
  std::size_t index = 0;
  for (const auto& a : member_->memory.arrays()) {
    if (a.owner) {
      if (const auto seen = a.owner->damage(); !seen.empty()) return fmt::format("array {}: {}", index, seen);
    }
    ++index;
  }
  return {};
}

}  // namespace ridge::harness
