// SPDX-License-Identifier: Apache-2.0
#include "stored/change_searches.hpp"

#include <utility>

namespace ridge::app_serve {
namespace {

constexpr std::chrono::milliseconds patience{60};  // of a page

}  // namespace

changes::partial_changes change_searches::known(store::store& results, const store::workload_query& query) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  auto seen = changes::changes_of(results, query, {}, kept_, [&, begun = false]() mutable {
    return !std::exchange(begun, true) || std::chrono::steady_clock::now() < deadline;
  });
  if (seen.not_searched > 0) {
    const std::lock_guard guard(mutex_);
    wanted_ = query;
  }
  return seen;
}

void change_searches::search_ahead(store_shelf& stores, const std::function<bool()>& may_search) {
  std::optional<store::workload_query> query;
  {
    const std::lock_guard guard(mutex_);
    query = std::exchange(wanted_, std::nullopt);
  }
  if (!query) return;
  auto results = stores.borrow();
  if (changes::search_ahead(*results, *query, {}, kept_, may_search) == 0) return;
  const std::lock_guard guard(mutex_);
  if (!wanted_) wanted_ = std::move(query);
}

}  // namespace ridge::app_serve
