// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <set>

#include <fmt/format.h>

#include <ridge/base/read_file.hpp>
#include <ridge/hardware/hardware_catalogue.hpp>

#include "object_reader.hpp"

namespace ridge::hardware {
namespace {

constexpr const char* remedy = "libs/hardware/data/hardware.json shows every field";

class reading {
 public:
  explicit reading(const node& top) { read_all(top); }
  catalogue_data data{};

 private:
  void read_all(const node& top) {
    object_reader in(top, "");
    static_cast<void>(in.optional_text("about"));  // a note for readers of the file
    if (const auto schema = in.text("schema"); schema != "ridge.hardware/1")
      throw refused{"/schema", fmt::format("\"ridge.hardware/1\" is expected, not \"{}\"", schema)};
    in.each_member("sources", [&](const std::string& id, object_reader& s) {
      data.sources.push_back({id, s.text("what"), s.text("where"), s.text("date")});
    });
    in.each("gpus", [&](object_reader& g) { data.gpus.push_back(read_gpu(g)); });
    in.each("cpus", [&](object_reader& p) { data.processors.push_back(read_processor(p)); });
    in.each("prices", [&](object_reader& p) { data.prices.push_back(read_price(p)); });
    in.finish();
  }

  std::string source_of(object_reader& reader) {
    auto id = reader.text("source");
    const auto known = std::ranges::find(data.sources, id, &source::id);
    if (known == data.sources.end())
      throw refused{reader.below("source"), fmt::format("\"{}\" is not among /sources", id)};
    return id;
  }

  // Names of hardware must be unique: prices refer to them.
  std::string new_name(object_reader& reader) {
    auto name = reader.text("name");
    if (!names_.insert(name).second)
      throw refused{reader.below("name"), fmt::format("\"{}\" is there twice", name)};
    return name;
  }

  void read_figure(object_reader& reader, const std::string& name, std::optional<figure>& x) {
    reader.part(name, [&](object_reader& f) { x = figure{f.number("value"), source_of(f)}; });
  }

  compute_peak read_peak(object_reader& reader) {
    compute_peak x;
    x.dtype = reader.one_of("dtype", dtypes_);
    x.unit = reader.one_of("unit", {"vector", "matrix"}) == "matrix" ? unit::matrix : unit::vector;
    x.dense_flop_per_s = reader.optional_number("dense_flop_per_s");
    x.sparse_flop_per_s = reader.optional_number("sparse_flop_per_s");
    x.clock_hz = reader.optional_number("clock_hz");
    x.flop_per_clock = reader.optional_number("flop_per_clock");
    x.source = source_of(reader);
    if (x.dense_flop_per_s && x.sparse_flop_per_s && *x.sparse_flop_per_s < *x.dense_flop_per_s)
      throw refused{reader.where(), "the sparse peak is below the dense one: were they exchanged?"};
    return x;
  }

  gpu read_gpu(object_reader& reader) {
    gpu x;
    x.name = new_name(reader);
    x.vendor = reader.text("vendor");
    x.reported = reader.texts("reported");
    x.pattern = reader.optional_text("pattern");
    x.compute_capability = reader.optional_text("compute_capability");
    x.architecture = reader.optional_text("architecture");
    read_figure(reader, "multiprocessors", x.multiprocessors);
    read_figure(reader, "memory_bytes", x.memory_bytes);
    read_figure(reader, "bandwidth_bytes_per_s", x.bandwidth_bytes_per_s);
    read_figure(reader, "attribute_bandwidth_bytes_per_s", x.attribute_bandwidth_bytes_per_s);
    read_figure(reader, "l2_bytes", x.l2_bytes);
    read_figure(reader, "max_clock_hz", x.max_clock_hz);
    read_figure(reader, "power_w", x.power_w);
    read_figure(reader, "shared_bytes_per_clock", x.shared_bytes_per_clock);
    reader.each("peaks", [&](object_reader& p) { x.peaks.push_back(read_peak(p)); });
    reader.each("links", [&](object_reader& l) {
      x.links.push_back({l.text("kind"), l.number("bytes_per_s"), source_of(l)});
    });
    return x;
  }

  void read_memory(object_reader& reader, memory_channels& x) {
    x.channels = reader.count("channels");
    x.transfers_per_s = reader.optional_number("transfers_per_s").value_or(0);
    x.bytes_per_transfer = reader.optional_number("bytes_per_transfer").value_or(8);
    x.bandwidth_bytes_per_s = reader.optional_number("bandwidth_bytes_per_s");
    x.source = source_of(reader);
  }

  processor read_processor(object_reader& reader) {
    processor x;
    x.name = new_name(reader);
    x.vendor = reader.text("vendor");
    x.models = reader.texts("models");
    reader.each("identities", [&](object_reader& i) {
      x.identities.push_back({i.count("family"), i.count("model")});
    });
    reader.part("memory", [&](object_reader& m) { read_memory(m, x.memory); });
    reader.each("rates", [&](object_reader& r) {
      core_rate rate{.isa = r.text("isa"), .dtype = r.one_of("dtype", dtypes_)};
      rate.flop_per_clock = r.number("flop_per_clock");
      rate.source = source_of(r);
      x.rates.push_back(std::move(rate));
    });
    return x;
  }

  price read_price(object_reader& reader) {
    price x;
    x.hardware = reader.text("hardware");
    if (!names_.contains(x.hardware))
      throw refused{reader.below("hardware"),
                    fmt::format("\"{}\" is not a GPU or CPU of this file", x.hardware)};
    x.per_hour = reader.number("per_hour");
    x.currency = reader.text("currency");
    x.terms = reader.optional_text("terms");
    x.use = reader.optional_text("use");
    x.source = source_of(reader);
    x.date = reader.text("date");
    return x;
  }

  const std::vector<std::string> dtypes_{"fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8", "fp4"};
  std::set<std::string, std::less<>> names_{};
};

std::string place_of(std::string_view text, std::size_t byte) {
  const auto before = text.substr(0, std::min(text.size(), byte ? byte - 1 : 0));
  const auto start = before.rfind('\n');
  return fmt::format("line {}, column {}", std::ranges::count(before, '\n') + 1,
                     before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1);
}

}  // namespace

result<catalogue> catalogue::parse(std::string_view text, std::string_view name) {
  try {
    return catalogue(reading(node::parse(text)).data);
  } catch (const node::parse_error& e) {
    return error{fmt::format("{}, {}: this is not JSON", name, place_of(text, e.byte)),
                 "write it as libs/hardware/data/hardware.json is written"};
  } catch (const refused& r) {
    return error{fmt::format("{}: {}{}{}", name, r.pointer, r.pointer.empty() ? "" : ": ", r.fault), remedy};
  } catch (const node::exception& e) {
    return error{fmt::format("{}: {}", name, e.what()), remedy};
  }
}

result<catalogue> catalogue::load(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return error{text.why().message, "give a catalogue of hardware (ridge.hardware/1)"};
  return parse(*text, file.string());
}

}  // namespace ridge::hardware
