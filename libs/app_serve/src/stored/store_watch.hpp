// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <ridge/server/event_hub.hpp>
#include <ridge/store/store.hpp>

#include "stored/store_shelf.hpp"

namespace ridge::app_serve {

// Publishes what other processes store. Events: `run.state` (key: the run) when a run begins, has more
// results or ends; `result` for each new comparison; `store` (one key) with what the store holds.
class store_watch final {
 public:
  // Takes what the store holds now as known.
  store_watch(store_shelf& stores, server::event_hub& hub);

  // Looks at the store and publishes what has changed since the last look; does nothing where its files have
  // not changed. Throws store_failure.
  void look();

 private:
  struct known_run {
    std::uint64_t families = 0;
    std::uint64_t comparisons = 0;
    bool has_ended = false;
  };
  void publish_state(const store::run_entry& entry);
  void publish_results(store::store& store, const store::run_entry& entry, std::uint64_t new_comparisons);

  store_shelf& stores_;
  server::event_hub& hub_;
  std::string revision_{};
  std::map<std::string, known_run> runs_{};
  model::holdings held_{};
};

}  // namespace ridge::app_serve
