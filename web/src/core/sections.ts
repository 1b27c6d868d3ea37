// SPDX-License-Identifier: Apache-2.0
// The ways to the pages. The build writes them into index.html, too, so that a frame of the page is seen before any script runs.
export const sections: readonly { view: string; text: string; key: string }[] = [
  { view: "overview", text: "Overview", key: "o" },
  { view: "runs", text: "Runs", key: "r" },
  { view: "series", text: "Series", key: "s" },
  { view: "compare", text: "Compare", key: "c" },
  { view: "roofline", text: "Roofline", key: "f" },
  { view: "analyses", text: "Analyses", key: "a" },
  { view: "catalogue", text: "Catalogue", key: "k" },
  { view: "machine", text: "Machine", key: "m" },
  { view: "live", text: "Live", key: "l" },
];
