// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <ridge/base/result.hpp>

namespace ridge::app {

// The folder of the shared objects that this program opens: lib/ridge beside the folder that the program lies
// in. It need not exist.
[[nodiscard]] std::filesystem::path module_folder();

// Opens the shared object at `path` and returns the address of `symbol` in it, an aggregate whose first
// member is the digest of the interface (const char*) that the object was built against. It stays open until
// the process ends. Errors name the file: it cannot be opened, it has no such symbol, or it was built against
// another interface than this program; `rebuild` is the command that makes a right one.
[[nodiscard]] result<const void*> open_module(const std::filesystem::path& path, const std::string& symbol,
                                              const std::string& rebuild);

}  // namespace ridge::app
