// SPDX-License-Identifier: Apache-2.0
#include "verify/memory_growth.hpp"

namespace ridge::harness {
namespace {

constexpr double error_of_peaks = 256 << 10;  // the kernel counts resident pages in batches

double growth(std::size_t now, std::size_t before) {
  return static_cast<double>(now) - static_cast<double>(before);
}

}  // namespace

void memory_growth::begin() {
  // Pages that this process writes while it reads are its own from now on, and no more shared with the child.
  (void)host::read_memory_of(process_);
  (void)host::reset_peak_resident_of(process_);
  first_ = base_ = host::read_memory_of(process_);
  seen_ = first_.has_value();
}

void memory_growth::begin_anew() {
  look();
  (void)host::reset_peak_resident_of(process_);
  base_ = host::read_memory_of(process_);
}

void memory_growth::look() {
  if (!first_) return;
  const auto now = host::read_memory_of(process_);
  seen_ = seen_ && now && base_;
  if (!seen_) return;
  kept_ = std::max(kept_, growth(now->written_bytes, first_->written_bytes));
  const double above = growth(now->peak_bytes, base_->resident_bytes) -
                       std::max(0.0, growth(now->file_bytes, base_->file_bytes));
  peak_ = std::max(peak_, above + growth(base_->written_bytes, first_->written_bytes));
}

double memory_growth::bytes_beside(double declared) const {
  const double taken = peak_ > kept_ + error_of_peaks ? peak_ : kept_;
  return taken > declared + unaccounted_bytes(declared) ? taken : declared;
}

}  // namespace ridge::harness
