// SPDX-License-Identifier: Apache-2.0
#include <ridge/trace/op_model.hpp>

namespace ridge::trace {

std::string_view name(op_family) { return {}; }

std::optional<op_model> model_of(const op_call&) { return std::nullopt; }

std::optional<op_model> model_of(const trace&, event_id) { return std::nullopt; }

}  // namespace ridge::trace
