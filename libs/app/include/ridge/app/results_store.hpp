// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include <ridge/app/context.hpp>
#include <ridge/base/result.hpp>
#include <ridge/store/store.hpp>

namespace ridge::app {

// Where results are kept: --store, RIDGE_STORE, or the default location.
[[nodiscard]] std::string store_location(const context& program);

// Opens it, making it where there is none. Throws store_failure.
[[nodiscard]] std::unique_ptr<store::store> open_store(const context& program);

// The store in this file or at this address.
[[nodiscard]] std::unique_ptr<store::store> open_store_at(const std::string& location);

// Opens one that exists; an error in words where there is none yet or it cannot be opened.
[[nodiscard]] result<std::shared_ptr<store::store>> open_store_for_reading(const context& program);

// A whole run by its id, or the beginning or end of it.
[[nodiscard]] result<model::run> load_run(store::store& store, const std::string& id);

}  // namespace ridge::app
