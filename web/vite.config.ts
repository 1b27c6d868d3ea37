// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";

// Relative addresses, names with a hash of the content, and nothing inline: the server sends a content policy
// under which inline scripts, inline styles and `data:` fonts are refused.
export default defineConfig({
  base: "./",
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
