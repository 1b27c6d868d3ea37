// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>

#include <ridge/changes/stored_changes.hpp>
#include <ridge/store/store.hpp>

#include "stored/store_shelf.hpp"

namespace ridge::app_serve {

// The changes of stored series, of which a search takes milliseconds: what was found is kept, a request
// searches for a moment, and what it leaves out is searched between requests. Any thread may use it.
class change_searches final {
 public:
  // Returns what is known of the series that the query chooses. No search is begun after 60 ms; one is always
  // made, so that of a single series everything is known. Throws store_failure.
  [[nodiscard]] changes::partial_changes known(store::store& results, const store::workload_query& query);

  // Searches what the last request left out until `may_search` returns false; does nothing where that is
  // nothing. Throws store_failure.
  void search_ahead(store_shelf& stores, const std::function<bool()>& may_search);

 private:
  changes::kept_searches kept_{};
  std::mutex mutex_{};
  std::optional<store::workload_query> wanted_{};
};

}  // namespace ridge::app_serve
