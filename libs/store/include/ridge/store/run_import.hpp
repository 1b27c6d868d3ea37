// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/model/run.hpp>
#include <ridge/store/store.hpp>

// Saved runs that come from elsewhere, as `ridge import` and the server take them.
namespace ridge::store {

// Returns whether a text can be the id of a run: 1 to 64 letters, digits, `-` and `_`, since ids stand in
// paths and must not be wildcards of a store.
[[nodiscard]] bool is_run_id(std::string_view text);

// What became of a run that a store was given.
enum class import_outcome : std::uint8_t {
  stored,  // it is held now
  known    // it was held already
};

// Returns an error for a run that no store may hold, since its results could not be found or would be wrong:
// an id that is none, a name that is empty or longer than 1000 bytes, two variants of one name in a family, a
// time below zero, a ratio that is not above zero. The message begins with the place, a JSON pointer.
[[nodiscard]] result<void> importable(const model::run& run);

// Enters a run whole, or not at all: an error where it is not importable, and where the store holds another
// run of this id, which stays as it is. Samples are compared with nine digits, as packed runs have them.
// Throws store_failure.
[[nodiscard]] result<import_outcome> import_run(store& target, const model::run& run);

}  // namespace ridge::store
