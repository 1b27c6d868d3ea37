// SPDX-License-Identifier: Apache-2.0
#include "screens/workspace.hpp"

#include <fmt/format.h>

namespace ridge::tui {

workspace::workspace(services lent)
    : lent_(std::move(lent)), machine_(lent_.read_machine, lent_.read_audit), pulse_(lent_.open_gpus) {}

result<std::shared_ptr<store::store>> workspace::store() {
  if (store_) return store_;
  if (!lent_.open_store) return error{"this program keeps no store", ""};
  auto opened = lent_.open_store();
  if (opened) store_ = *opened;
  return opened;
}

std::string workspace::version() {
  const auto opened = store();
  if (!opened) return opened.why().message;
  std::string text;
  for (const auto& run : (*opened)->runs({.limit = 1}))
    text += fmt::format("{} {} {}", run.id, run.families, run.wall_s.has_value());
  return text;
}

}  // namespace ridge::tui
