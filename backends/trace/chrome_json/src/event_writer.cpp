// SPDX-License-Identifier: Apache-2.0
#include "event_writer.hpp"

#include <limits>

#include "copy_name.hpp"
#include "unescape.hpp"

namespace ridge::backends::trace_chrome_json {
namespace {

using trace::category;
using trace::flaw;

// 0 means "not recorded" in a trace; a file whose correlations begin at 0 gets this number instead.
constexpr std::uint32_t told_zero = 0xffffffffU;

std::uint32_t unsigned_of(integer value) { return value ? static_cast<std::uint32_t>(*value) : 0; }

std::int32_t signed_of(integer value, std::int32_t otherwise) {
  return value ? static_cast<std::int32_t>(*value) : otherwise;
}

float float_of(real value) {
  return value ? static_cast<float>(*value) : std::numeric_limits<float>::quiet_NaN();
}

bool stands_on_device(category c) {
  return c == category::device_annotation || c == category::synchronization || c == category::device_event;
}

std::int32_t stream_of(integer told) {
  return told && *told == 0xffffffff ? trace::every_stream : signed_of(told, -1);
}

trace::sync_kind sync_kind_of(std::string_view text) {
  using k = trace::sync_kind;
  if (text.starts_with("Stream Wait")) return k::stream_wait_event;
  if (text.starts_with("Stream")) return k::stream;
  if (text.starts_with("Event")) return k::event;
  return text.starts_with("Context") || text.starts_with("Device") ? k::device : k::unknown;
}

// For "stream 7" that is 7.
std::int64_t stream_number(const id_number& thread) {
  constexpr std::string_view prefix = "stream ";
  const auto text = thread.text.told() ? thread.text.text() : std::string_view();
  std::int64_t number = 0;
  if (!text.starts_with(prefix) || text.size() > prefix.size() + 9) return thread.value;
  for (const char c : text.substr(prefix.size())) {
    if (c < '0' || c > '9') return thread.value;
    number = number * 10 + (c - '0');
  }
  return number;
}

}  // namespace

void event_writer::add(const event_fields& e, json_text& text, std::uint64_t offset) {
  if (e.args != nullptr && e.phase != 'C' && needs_args(e.phase, e.kind)) {
    read_args_ = {};
    static_cast<void>(read_args(e.args, text, read_args_));
    add(e, read_args_, text, offset);
  } else {
    static constexpr event_args none{};
    add(e, none, text, offset);
  }
}

void event_writer::add(const event_fields& e, const event_args& arguments, json_text& text,
                       std::uint64_t offset) {
  args_ = &arguments;
  if (!e.start_ns && std::string_view("XBEiICsf").find(e.phase) != std::string_view::npos)
    return builder_.facts().quality.add(flaw::unreadable_event, offset, "an event without a time");
  switch (e.phase) {
    case 'X':
      return add_complete(e, offset);
    case 'B':
      return add_begin(e, offset);
    case 'E':
      return add_end(e, offset);
    case 'i':
    case 'I':
      return add_instant(e, offset);
    case 'C':
      return add_counters(e, text);
    case 'M':
      return add_metadata(e);
    case 's':
    case 'f':
      return add_flow(e);
    default:
      return;
  }
}

void event_writer::add(const scanned_block& block, json_text& text) {
  static constexpr event_args none{};
  text.end = block.end();
  if (names_of_scanners_.size() <= block.scanner) names_of_scanners_.resize(block.scanner + 1);
  scanned_names_ = &names_of_scanners_[block.scanner];
  for (const auto& e : block.events) {
    const auto& arguments = e.args_number < 0 ? none : block.args[static_cast<std::size_t>(e.args_number)];
    add(e, arguments, text, block.offset + static_cast<std::uint64_t>(e.begin - block.begin()));
  }
  scanned_names_ = nullptr;
  text.controls += block.counts.controls;
  text.non_finite += block.counts.non_finite;
}

// Returns the id of an event's name; the text of one that its scanner has numbered is looked at once.
trace::name_id event_writer::name_of(const event_fields& e) {
  if (scanned_names_ == nullptr || e.name_number < 0) return names_.of(e.name);
  const auto number = static_cast<std::size_t>(e.name_number);
  if (number >= scanned_names_->size()) scanned_names_->resize(number + 1, trace::none);
  auto& id = (*scanned_names_)[number];
  if (id == trace::none) id = names_.of(e.name);
  return id;
}

trace::event_row event_writer::row_of(const event_fields& e, std::uint64_t offset) const {
  return {.start_ns = e.start_ns.value_or(0), .offset = offset, .kind = e.kind};
}

std::uint32_t event_writer::correlation() {
  if (!args_->correlation) return 0;
  return *args_->correlation == 0 ? told_zero : unsigned_of(args_->correlation);
}

trace::track_id event_writer::track_of(const event_fields& e) {
  if (stands_on_device(e.kind)) {
    const auto device = signed_of(args_->device, static_cast<std::int32_t>(e.process.value));
    return tracks_.of(trace::track_kind::device, e.process, e.thread, device);
  }
  const auto kind = e.kind == category::python ? trace::track_kind::python : trace::track_kind::thread;
  return tracks_.of(kind, e.process, e.thread);
}

void event_writer::add_complete(const event_fields& e, std::uint64_t offset) {
  auto row = row_of(e, offset);
  row.name = name_of(e);
  row.duration_ns = e.duration_ns.value_or(0);
  if (!e.duration_ns) builder_.facts().quality.add(flaw::missing_duration, offset);
  if (row.duration_ns < 0) {
    builder_.facts().quality.add(flaw::negative_duration, offset);
    row.duration_ns = 0;
  }
  if (e.kind == category::python) {
    row.track = track_of(e);
    return add_plain(row);
  }
  row.correlation = correlation();
  if (row.correlation != 0) launches_.numbers_are_told();
  row.external = unsigned_of(args_->external);
  if (trace::is_device_work(e.kind)) return add_work(e, row);
  row.track = track_of(e);
  if (e.kind == category::op) return add_op(row);
  if (e.kind == category::synchronization) return add_synchronization(row);
  if (e.kind == category::api && row.correlation == told_zero) return zero_calls_.push_back(row);
  if (e.kind == category::api && row.correlation == 0 && launches_.needed()) return launches_.hold(e, row);
  add_plain(row);
}

void event_writer::add_plain(const trace::event_row& row) {
  builder_.add(row);
  if (ranges_.used()) ranges_.saw(row.track, row.start_ns + row.duration_ns);
}

void event_writer::add_begin(const event_fields& e, std::uint64_t offset) {
  auto row = row_of(e, offset);
  row.name = name_of(e);
  row.correlation = correlation();
  row.external = unsigned_of(args_->external);
  row.track = track_of(e);
  ranges_.push(row);
}

void event_writer::add_end(const event_fields& e, std::uint64_t offset) {
  const auto end_ns = e.start_ns.value_or(0);
  auto row = ranges_.pop(track_of(e), end_ns);
  if (!row) row = ranges_.pop(tracks_.of(trace::track_kind::python, e.process, e.thread), end_ns);
  if (row) return builder_.add(*row);
  builder_.facts().quality.add(flaw::unmatched_end, offset);
}

void event_writer::add_work(const event_fields& e, trace::event_row row) {
  trace::device_work w{.bytes = args_->bytes.value_or(0), .process = trace::none};
  if (args_->process) w.process = builder_.process(*args_->process);
  w.device = signed_of(args_->device, static_cast<std::int32_t>(e.process.value));
  w.stream = signed_of(args_->stream, static_cast<std::int32_t>(stream_number(e.thread)));
  w.context = unsigned_of(args_->context);
  w.graph = unsigned_of(args_->graph);
  w.graph_node = static_cast<std::uint64_t>(args_->graph_node.value_or(0));
  w.grid = args_->grid;
  w.block = args_->block;
  w.registers = static_cast<std::uint16_t>(args_->registers.value_or(0));
  w.shared_bytes = unsigned_of(args_->shared_bytes);
  w.local_bytes = unsigned_of(args_->local_bytes);
  w.blocks_per_sm = float_of(args_->blocks_per_sm);
  w.warps_per_sm = float_of(args_->warps_per_sm);
  w.occupancy = float_of(args_->occupancy) / 100.0F;
  w.gb_per_s = float_of(args_->gb_per_s);
  w.collective = collective();
  if (e.kind == category::copy) {
    const auto ends = copy_ends_of(e.name.told() ? e.name.text() : std::string_view());
    w.copy = ends.kind, w.source = ends.source, w.destination = ends.destination;
  }
  row.track = tracks_.of(trace::track_kind::stream, e.process, {.value = w.stream}, w.device);
  if (row.correlation == 0 && launches_.needed()) return launches_.hold(e, row, w);
  builder_.add(row, w);
}

std::uint32_t event_writer::collective() {
  if (!args_->collective.told() && !args_->group.told()) return trace::none;
  return builder_.add(trace::collective{.in_elements = args_->in_elements.value_or(-1),
                                        .out_elements = args_->out_elements.value_or(-1),
                                        .sequence = args_->collective_sequence.value_or(-1),
                                        .operation = names_.of(args_->collective),
                                        .dtype = names_.of(args_->dtype),
                                        .group = names_.of(args_->group),
                                        .group_description = names_.of(args_->group_description),
                                        .ranks = names_.of(args_->ranks),
                                        .group_size = unsigned_of(args_->group_size),
                                        .source_rank = signed_of(args_->source_rank, -1),
                                        .target_rank = signed_of(args_->target_rank, -1),
                                        .asynchronous = args_->asynchronous ? 1U : 0U});
}

void event_writer::add_op(const trace::event_row& row) {
  builder_.add(row, trace::op_detail{.sequence = args_->sequence.value_or(-1),
                                     .forward_thread = args_->forward_thread.value_or(-1),
                                     .input_dims = names_.of(args_->input_dims),
                                     .input_types = names_.of(args_->input_types),
                                     .input_strides = names_.of(args_->input_strides),
                                     .concrete_inputs = names_.of(args_->concrete_inputs),
                                     .collective = collective(),
                                     .stream = signed_of(args_->stream, -1)});
  if (ranges_.used()) ranges_.saw(row.track, row.start_ns + row.duration_ns);
}

void event_writer::add_synchronization(const trace::event_row& row) {
  const auto kind = args_->sync_kind.told() ? args_->sync_kind.text() : std::string_view();
  builder_.add(row, trace::sync_detail{.kind = sync_kind_of(kind),
                                       .device = signed_of(args_->device, -1),
                                       .stream = stream_of(args_->stream),
                                       .wait_on_stream = signed_of(args_->wait_on_stream, -1),
                                       .wait_on_correlation = unsigned_of(args_->wait_on_correlation),
                                       .event = unsigned_of(args_->event)});
}

void event_writer::add_instant(const event_fields& e, std::uint64_t offset) {
  if (args_->bytes && (e.name.told() && e.name.text() == "[memory]")) return add_memory(e);
  auto row = row_of(e, offset);
  row.name = name_of(e);
  row.kind = category::mark;
  row.flags = trace::flag_instant;
  row.track = tracks_.of(trace::track_kind::thread, e.process, e.thread);
  add_plain(row);
}

void event_writer::add_memory(const event_fields& e) {
  const bool on_host = args_->device_type.value_or(1) == 0;
  builder_.add(trace::memory_event{.time_ns = e.start_ns.value_or(0),
                                   .address = static_cast<std::uint64_t>(args_->address.value_or(0)),
                                   .bytes = *args_->bytes,
                                   .total_allocated = args_->total_allocated.value_or(-1),
                                   .total_reserved = args_->total_reserved.value_or(-1),
                                   .device = on_host ? -1 : signed_of(args_->device_id, -1),
                                   .track = tracks_.of(trace::track_kind::thread, e.process, e.thread)});
}

void event_writer::add_counters(const event_fields& e, json_text& text) {
  if (e.args == nullptr) return;
  const auto track = tracks_.of(trace::track_kind::counter, e.process, e.thread);
  counter_arg arg;
  for (const auto* at = read_counter_arg(e.args, text, arg); at != nullptr && arg.key.told();
       at = read_counter_arg(at, text, arg)) {
    const auto name = unescape(e.name.told() ? e.name.text() : "").text, key = unescape(arg.key.text()).text;
    const auto series = builder_.series(builder_.intern(name.empty() ? key : name + ": " + key), -1, track);
    builder_.add(
        trace::counter_value{.time_ns = e.start_ns.value_or(0), .value = arg.value, .series = series});
  }
}

void event_writer::add_metadata(const event_fields& e) {
  const auto what = e.name.told() ? e.name.text() : std::string_view();
  const auto text = [](const token& t) { return t.told() ? unescape(t.text()).text : std::string(); };
  if (what == "process_name") tracks_.name_process(e.process.value, text(args_->name));
  if (what == "process_labels") tracks_.label_process(e.process.value, text(args_->labels));
  if (what == "thread_name") tracks_.name_thread(e.process.value, e.thread.value, text(args_->name));
}

void event_writer::add_flow(const event_fields& e) {
  const auto what = e.category.told() ? e.category.text() : std::string_view();
  if (launches_.needed() && (what == "ac2g" || what.starts_with("async"))) launches_.add_arrow(e);
  if (what != "fwdbwd") return;
  const auto track = tracks_.of(trace::track_kind::thread, e.process, e.thread);
  const auto id = static_cast<std::uint64_t>(e.id.value);
  if (e.phase == 's')
    flows_.start(id, e.start_ns.value_or(0), track);
  else
    flows_.finish(id, e.start_ns.value_or(0), track);
}

void event_writer::finish() {
  auto& quality = builder_.facts().quality;
  launches_.finish(builder_);
  const bool is_one = zero_calls_.size() == 1;
  for (auto& row : zero_calls_) {
    if (!is_one) row.correlation = 0;
    add_plain(row);
  }
  for (const auto& row : ranges_.left()) {
    quality.add(flaw::unmatched_begin, row.offset);
    builder_.add(row);
  }
  quality.add(flaw::bad_text, 0, "a name holds broken UTF-8 or escapes", names_.broken());
  tracks_.apply_names();
}

}  // namespace ridge::backends::trace_chrome_json
