// SPDX-License-Identifier: Apache-2.0
// Runs before anything is painted and before the other scripts are there. It sets the theme that a reader chose, so that no
// flash of the system's is seen, and asks for what the first page will ask for: pages take those answers instead of asking
// again. It is a script of its own, without imports: the content policy allows none inside the page.
const root = document.documentElement;

// As many buckets as the chart of a series has pixels; pages/one_series.ts reads it.
root.dataset["px"] = String(Math.max(320, Math.min(1600, innerWidth - (innerWidth > 900 ? 300 : 32))));

const asked = new URLSearchParams(location.search);
const series = asked.get("series");
const paths = asked.get("view") === "series" && series && /^\d+$/.test(series) && !asked.has("first") && !asked.has("last")
  ? [`series/${series}`, `series/${series}/points?px=${root.dataset["px"]}`]
  : asked.has("view") ? [] : ["summary", "runs?limit=8", "analyses"];
// A token in the address is exchanged first: without it the answers would be refusals.
if (!location.hash)
  for (const path of paths) {
    const link = document.createElement("link");
    link.rel = "preload";
    link.as = "fetch";
    link.crossOrigin = "anonymous";
    link.href = `api/v1/${path}`;
    document.head.append(link);
  }

// Last, since what a browser keeps is asked of another process, and the requests need not wait for it.
try {
  for (const name of ["theme", "density"]) {
    const value = localStorage.getItem(`ridge.${name}`);
    if (value && value !== "auto" && value !== "roomy") root.dataset[name] = value;
  }
} catch {
  // A browser that keeps nothing shows the system's choice.
}
