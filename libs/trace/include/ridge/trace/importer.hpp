// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <ridge/base/result.hpp>
#include <ridge/trace/byte_source.hpp>
#include <ridge/trace/trace.hpp>

namespace ridge::trace {

// Reads one format. A backend; stateless.
class importer {
 public:
  virtual ~importer() = default;
  [[nodiscard]] virtual std::string_view format() const = 0;  // "chrome_json"
  // By the first bytes of the content (up to 64 KiB, uncompressed), never by a name.
  [[nodiscard]] virtual bool recognises(std::string_view head) const = 0;
  // The rank that those bytes tell, so that others need not be read; nullopt: not told there.
  [[nodiscard]] virtual std::optional<int> rank_in(std::string_view /*head*/) const { return std::nullopt; }
  // A damaged input gives what it holds, its quality says what was lost; an error only where nothing can be
  // told. `origin` already says path, container and sizes; the importer adds the rest.
  [[nodiscard]] virtual result<trace> read(byte_source& from, origin of, const read_limits& limits) const = 0;
};

}  // namespace ridge::trace
