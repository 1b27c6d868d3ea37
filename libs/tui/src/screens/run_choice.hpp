// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>
#include <ridge/store/store.hpp>

namespace ridge::tui {

// Returns the stored run of an id, its beginning or its end; the newest one for an empty id. The error says
// why there is none.
[[nodiscard]] result<model::run> chosen_run(store::store& store, const std::string& id);

// Returns the id of the run before this one (by time, +1: after it); empty at the end of the list. An empty
// id stands for the newest.
[[nodiscard]] std::string neighbour_of(store::store& store, const std::string& id, int step);

// Returns "2026-11-27 14:03" of "2026-11-27T14:03:11Z".
[[nodiscard]] std::string short_time(std::string_view started);
// Returns the end of an id, which tells the runs of a day apart.
[[nodiscard]] std::string short_id(std::string_view id);

}  // namespace ridge::tui
