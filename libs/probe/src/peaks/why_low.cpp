// SPDX-License-Identifier: Apache-2.0
#include <ridge/probe/why_low.hpp>

#include <ridge/base/text.hpp>

namespace ridge::probe {
namespace {

struct reason {
  std::string_view ids;  // a pattern
  std::string_view words;
};

// Reasons for kinds of rows; the first that matches counts. Usual shares are those in results/*/peaks; packet
// overheads follow chapter 2 of the PCI Express Base Specification.
constexpr reason reasons[] = {
    {"cuda.copy",
     "memory turns between reads and writes, and refreshes: copies end near 88 % of the stated rate"},
    {"cuda.triad*",
     "memory turns between reads and writes, and refreshes: 88 to 91 % of the stated rate is usual"},
    {"cuda.*.pageable",
     "goes through a staging buffer that a core fills: pin the memory (cudaHostAlloc, pin_memory)"},
    {"cuda.h2d.*",
     "PCIe packets carry 20 to 28 bytes beside the data: 85 to 90 % of the link is usual; less: a narrow or "
     "slow hop"},
    {"cuda.d2h.*",
     "PCIe packets carry 20 to 28 bytes beside the data: 85 to 90 % of the link is usual; less: a narrow or "
     "slow hop"},
    {"cuda.blas.*", "a library's product also loads and stores its operands, and runs into the power limit"},
    {"cpu.fma.*.scalar", "one element per instruction: vector code does more"},
};

bool is_low(const model::ceiling& row) {
  if (model::lower_is_better(row)) return false;
  return (row.issue_limit > 0 && row.value < 0.95 * row.issue_limit) ||
         (row.specified > 0 && row.value < 0.9 * row.specified);
}

// Returns whether all cores reach only half of what one undisturbed core reaches: then a hypervisor shows the
// threads of a core as cores.
bool looks_like_shared_cores(const model::ceiling& row) {
  return row.id.starts_with("cpu.fma") && row.threads > 2 && row.issue_limit > 0 &&
         row.value < 0.65 * row.issue_limit;
}

}  // namespace

std::string why_low(const model::ceiling& row) {
  if (!is_low(row)) return "";
  if (looks_like_shared_cores(row))
    return "all together reach about half: what looks like cores here may be pairs of threads of one (SMT)";
  for (const auto& one : reasons) {
    if (glob_matches(one.ids, row.id)) return std::string(one.words);
  }
  return "";
}

void explain(model::ceiling& row) {
  if (row.note.empty()) row.note = why_low(row);
}

}  // namespace ridge::probe
