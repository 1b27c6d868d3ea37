// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ridge::report {

// The rules of a run's page. Colours of text have a contrast of at least 4.5 to 1 with their ground, in light
// and in dark (WCAG 2.2, 1.4.3).
inline constexpr std::string_view run_page_style = R"(
:root{--ground:#fff;--ink:#1f2328;--quiet:#57606a;--line:#d0d7de;--band:#f6f8fa;--link:#0756b0;--good:#116329;--bad:#a40e26;--doubt:#7a5200}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:1.5rem 1.25rem 4rem;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif}
h1{font-size:1.75rem;line-height:1.25;margin:.5rem 0;overflow-wrap:anywhere}h2{font-size:1.35rem;margin:2.5rem 0 .5rem;padding-top:.75rem;border-top:1px solid var(--line)}
h3{font-size:1.05rem;margin:1.75rem 0 .25rem}p{margin:.25rem 0 .75rem;max-width:48rem}.quiet{color:var(--quiet)}
a{color:var(--link)}nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;padding:0;margin:.75rem 0;list-style:none}
.wide{overflow-x:auto;margin:.75rem 0}table{border-collapse:collapse;width:100%;font-size:.9rem;font-variant-numeric:tabular-nums}
caption{text-align:left;font-weight:600;padding:.25rem 0;color:var(--quiet)}
th,td{text-align:left;vertical-align:top;padding:.35rem .9rem .35rem 0;border-bottom:1px solid var(--line)}
thead th{font-weight:600;color:var(--quiet);white-space:nowrap}tbody th{font-weight:600}
.figure{white-space:nowrap}.note{display:block;font-weight:400;font-size:.82rem;color:var(--quiet);min-width:12rem;white-space:normal}
.good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}.doubtful{color:var(--doubt);font-weight:600}.dim{color:var(--quiet)}
.plots svg{display:block;height:auto;max-width:100%;min-width:40rem}.plots{overflow-x:auto;margin:.75rem 0}
details{margin:.5rem 0}summary{cursor:pointer;color:var(--link)}
pre{overflow-x:auto;background:var(--band);border:1px solid var(--line);border-radius:6px;padding:.75rem}code{font-family:ui-monospace,"DejaVu Sans Mono",monospace;font-size:.88rem}
ul.causes{padding-left:1.1rem;max-width:60rem}ul.causes li{margin:.2rem 0}
a:focus-visible,summary:focus-visible,.wide:focus-visible,.plots:focus-visible{outline:2px solid var(--link);outline-offset:2px}
@media (prefers-color-scheme:dark){:root{--ground:#0d1117;--ink:#e6edf3;--quiet:#9198a1;--line:#30363d;--band:#161b22;--link:#6cb2ff;--good:#4cc762;--bad:#ff8b84;--doubt:#e3b341}}
@media (max-width:40rem){body{padding:1rem .9rem 3rem;font-size:15px}h1{font-size:1.4rem}h2{font-size:1.2rem}.note{min-width:9rem}th,td{padding-right:.6rem}.figure{white-space:normal;min-width:5.5rem}}
@media print{details>*{display:block}body{max-width:none}}
)";

}  // namespace ridge::report
