// SPDX-License-Identifier: Apache-2.0
#include "svg_page.hpp"

#include <ridge/base/escape.hpp>
#include "svg_text.hpp"

namespace ridge::report {
namespace {

// The colours can be told apart with any colour vision (Okabe and Ito 2008, darkened for text on white). They
// are classes, because converters to PNG know no variables and ignore the dark half.
constexpr std::string_view style =
    R"(text{font-family:"DejaVu Sans","Segoe UI",Helvetica,Arial,sans-serif;font-size:11px;fill:#24292f}
.page{fill:#ffffff}.plot{fill:#ffffff;stroke:none}.dead{fill:#f0f2f4}
.frame{fill:none;stroke:#8c959f;stroke-width:1}.grid{stroke:#e1e4e8;stroke-width:1}.fine{stroke:#f3f4f6;stroke-width:1}
.tick{stroke:#57606a;stroke-width:1.5}.drop{stroke:#8c959f;stroke-width:1;stroke-dasharray:2 4}
.title{font-size:17px;font-weight:600}.muted{fill:#57606a}.small{font-size:10px;fill:#57606a}.head{font-weight:600;fill:#57606a}
.roof{fill:none;stroke:#24292f;stroke-width:2}.stated{fill:none;stroke:#6e7781;stroke-width:1.4;stroke-dasharray:1.5 4;stroke-linecap:round}
.label{font-size:11.5px}.halo{font-size:11.5px;stroke:#ffffff;stroke-width:4;stroke-linejoin:round;fill:#ffffff}
.number{font-size:11px;font-weight:600}.lead{stroke:#8c959f;stroke-width:.8}.bar{stroke-width:1.3}.arrow{fill:none;stroke-width:1.5}
.curve{fill:none;stroke-width:2}.dashed{stroke-dasharray:6 5}.dash1{stroke-dasharray:9 3}.dash2{stroke-dasharray:3 3}.dash3{stroke-dasharray:9 3 2 3}.shape{fill-opacity:.3;stroke-width:1.2}.area{stroke:none;fill-opacity:.16}
.hollow{fill:#ffffff;fill-opacity:.75;stroke-width:2.2}.knee{fill:none;stroke-width:2.2}.dot{stroke:none}
.c0{stroke:#0969c8}.c1{stroke:#c4500a}.c2{stroke:#0b7f5a}.c3{stroke:#a8327d}.c4{stroke:#8a6a00}.c5{stroke:#1a8fb5}.c6{stroke:#6f42c1}.c7{stroke:#57606a}
.f0{fill:#0969c8}.f1{fill:#c4500a}.f2{fill:#0b7f5a}.f3{fill:#a8327d}.f4{fill:#8a6a00}.f5{fill:#1a8fb5}.f6{fill:#6f42c1}.f7{fill:#57606a}
@media (prefers-color-scheme:dark){
text{fill:#e6edf3}.page{fill:#0d1117}.plot{fill:#0d1117}.dead{fill:#191f27}.frame{stroke:#6e7681}.grid{stroke:#252c35}.fine{stroke:#171d25}
.tick{stroke:#9198a1}.drop{stroke:#6e7681}.muted,.small,.head{fill:#9198a1}.roof{stroke:#e6edf3}.stated{stroke:#9198a1}
.halo{stroke:#0d1117;fill:#0d1117}.lead{stroke:#6e7681}.hollow{fill:#0d1117}
.c0{stroke:#58a6ff}.c1{stroke:#ff9a55}.c2{stroke:#3fc99a}.c3{stroke:#f07cc4}.c4{stroke:#e3b341}.c5{stroke:#56d4f5}.c6{stroke:#b392f0}.c7{stroke:#9198a1}
.f0{fill:#58a6ff}.f1{fill:#ff9a55}.f2{fill:#3fc99a}.f3{fill:#f07cc4}.f4{fill:#e3b341}.f5{fill:#56d4f5}.f6{fill:#b392f0}.f7{fill:#9198a1}
}
)";

std::string svg_with(std::string_view attributes, std::string_view title, double width, double height,
                     std::string_view elements) {
  return fmt::format(
      "<svg {4}width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" role=\"img\">\n"
      "<title>{2}</title>\n{3}</svg>\n",
      width, height, markup_escaped(title), elements, attributes);
}

}  // namespace

std::string svg_element(std::string_view title, double width, double height, std::string_view elements) {
  return svg_with("", title, width, height, elements);
}

std::string_view svg_rules() { return style; }

std::string svg_page(std::string_view title, double width, double height, std::string_view elements) {
  return svg_with("xmlns=\"http://www.w3.org/2000/svg\" ", title, width, height,
                  fmt::format("<style>\n{}</style>\n<rect class=\"page\" width=\"{:.0f}\" "
                              "height=\"{:.0f}\"/>\n{}",
                              style, width, height, elements));
}

}  // namespace ridge::report
