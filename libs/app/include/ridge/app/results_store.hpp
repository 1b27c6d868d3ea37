// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/app/context.hpp>
#include <ridge/base/result.hpp>
#include <ridge/store/store.hpp>

namespace ridge::app {

// Returns where results are kept: --store, else RIDGE_STORE, else the default location. Throws unavailable
// where there is none of them, because no home folder is known.
[[nodiscard]] std::string store_location(const context& program);

// Returns the same as messages name it: a URL without its password.
[[nodiscard]] std::string store_place(const context& program);

// Opens the store of this call and creates it where there is none. Throws store_failure.
[[nodiscard]] std::unique_ptr<store::store> open_store(const context& program);

// Does the same unless it is not `wanted`. A store that cannot be opened must not cost the results: then it
// says so on stderr and returns null.
[[nodiscard]] std::unique_ptr<store::store> store_if_possible(const context& program, bool wanted);

// Opens the store in this file, or at this URL, and creates it where there is none. Throws unavailable where
// no backend of this program opens the URL, and store_failure.
[[nodiscard]] std::unique_ptr<store::store> open_store_at(const std::string& location);

// Opens a store for reading, also where it cannot be written; returns an error where there is none yet or it
// cannot be opened.
[[nodiscard]] result<std::shared_ptr<store::store>> open_existing_store(const std::string& location);

// Opens the store of this call for reading, also where it cannot be written; returns an error where there is
// none yet or it cannot be opened.
[[nodiscard]] result<std::shared_ptr<store::store>> open_store_for_reading(const context& program);

// Returns a whole run by its id, or by the beginning or end of the id; an error where there is none, or
// several begin so.
[[nodiscard]] result<model::run> load_run(store::store& store, const std::string& id);

}  // namespace ridge::app
