// SPDX-License-Identifier: Apache-2.0
#include <ridge/device/distribution.hpp>

#include <fmt/format.h>

namespace ridge {
namespace {

struct writer {
  std::string operator()(const normal& d) const { return fmt::format("normal({}, {})", d.mean, d.sigma); }
  std::string operator()(const uniform& d) const { return fmt::format("uniform[{}, {})", d.lo, d.hi); }
  std::string operator()(const integers& d) const { return fmt::format("integers below {}", d.below); }
  std::string operator()(const constant& d) const { return fmt::format("constant {}", d.value); }
  std::string operator()(const permutation&) const { return "permutation"; }
  std::string operator()(const random_bits&) const { return "random bits"; }
  std::string operator()(const filled_by&) const { return "filled on the host"; }
};

}  // namespace

std::string text(const distribution& d) { return std::visit(writer{}, d); }

}  // namespace ridge
