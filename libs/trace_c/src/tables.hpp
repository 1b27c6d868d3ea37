// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>

#include "arguments.hpp"
#include "table.hpp"
#include "trace_set.hpp"

namespace ridge::trace_c {

// Answers a question; what is wrong throws refused.
using answer = std::function<table(const trace_set&, const arguments&)>;
using answers = std::map<std::string, answer>;

void add_breakdown_tables(answers& all);  // temporal breakdown, kernels, annotations
void add_stream_tables(answers& all);     // idle times, launches, queues, copies
void add_program_tables(answers& all);    // ranks, steps, stragglers, sequences
void add_path_tables(answers& all);       // the critical path, device work

// Returns all questions with what answers them.
[[nodiscard]] const answers& all_answers();

}  // namespace ridge::trace_c
