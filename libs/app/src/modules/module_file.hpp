// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <ridge/base/result.hpp>

namespace ridge::app {

// Returns the folder of the shared objects that this program opens: lib/ridge beside the folder of the
// program. It need not exist.
[[nodiscard]] std::filesystem::path module_folder();

// Opens the shared object at `path` and returns the address of `symbol` in it, an aggregate whose first
// member is the digest of the interface (const char*) that the object was built against. The object stays
// open until the process ends. An error names the file and its problem: it cannot be opened, it lacks the
// symbol, or it was built against another interface than this program; `rebuild` is the command that builds a
// right one.
[[nodiscard]] result<const void*> open_module(const std::filesystem::path& path, const std::string& symbol,
                                              const std::string& rebuild);

}  // namespace ridge::app
