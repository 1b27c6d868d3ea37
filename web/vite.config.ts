// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";
import type { Plugin } from "vite";
import { sections } from "./src/core/sections.ts";

// What is seen before the scripts run: the name and the ways to the pages, as shell.ts builds them anew. It shows no number.
function first_frame(): string {
  const links = sections.map(({ view, text }) => `<a href="${view === "overview" ? "./" : `?view=${view}`}">${text}</a>`).join("");
  const mark = `<svg class="wordmark-sign" viewBox="0 0 36 20" width="36" height="20" aria-hidden="true"><path class="wordmark-roof" d="M1 19 17 4H35"/><circle class="wordmark-point" cx="11" cy="14" r="2"/><circle class="wordmark-point" cx="25" cy="9" r="2"/></svg>`;
  return `<div class="page"><header class="margin"><a class="wordmark" href="./" aria-label="Ridge, overview">${mark}<span>Ridge</span></a><nav aria-label="Pages">${links}</nav></header><main aria-busy="true"></main></div>`;
}

// Adds to index.html the first frame, the fonts that it needs, and the script that runs before it is painted.
function first_paint(): Plugin {
  let first = "";
  return {
    name: "first-paint",
    buildStart() {
      first = this.emitFile({ type: "chunk", id: "./src/first.ts", name: "first" });
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const files = Object.values(bundle ?? {});
        const script = files.find((file) => file.type === "chunk" && file.name === "first");
        const fonts = files.filter(({ fileName }) => fileName.endsWith(".woff2")).map(({ fileName }) => `<link rel="preload" href="./${fileName}" as="font" type="font/woff2" crossorigin>`);
        if (!script || !first) throw new Error("the script that runs first was not built");
        return html.replace("<title>", `<script src="./${script.fileName}"></script>\n    ${fonts.join("\n    ")}\n    <title>`).replace("<body>", `<body>\n    ${first_frame()}`);
      },
    },
  };
}

// uPlot makes two Intl objects when it is loaded, for a legend and for dates that no chart of ours has; each takes up to ten
// milliseconds of every page. They are made when they are asked for instead.
const late_objects: readonly (readonly [string, string])[] = [
  ["const numFormatter = new Intl.NumberFormat(domEnv ? nav.language : 'en-US');", "let numFormatter;"],
  ["val => numFormatter.format(val)", "val => (numFormatter ??= new Intl.NumberFormat(nav.language)).format(val)"],
  ["const localTz = new Intl.DateTimeFormat().resolvedOptions().timeZone;", ""],
  ["tz == localTz", "tz == new Intl.DateTimeFormat().resolvedOptions().timeZone"],
];

function late_intl(): Plugin {
  return {
    name: "late-intl",
    transform(code, id) {
      if (!id.includes("uplot/dist/uPlot.esm")) return null;
      return late_objects.reduce((text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`uPlot no longer holds: ${from}`);
        return text.replace(from, to);
      }, code);
    },
  };
}

// Relative addresses, names with a hash of the content, and nothing inline: the server sends a content policy
// under which inline scripts, inline styles and `data:` fonts are refused.
export default defineConfig({
  base: "./",
  plugins: [first_paint(), late_intl()],
  build: {
    outDir: "dist",
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 300,
    rolldownOptions: { output: { hashCharacters: "hex" } },
  },
  worker: { format: "es", rolldownOptions: { output: { hashCharacters: "hex" } } },
});
