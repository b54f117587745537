import { readFile } from "node:fs/promises";
import { resolve } from "node:path/posix";
import type { Plugin } from "esbuild";

/** What we use nothing of: a faster table of formats, and how values of a format compare. */
const CUTS = [/^export const fastFormats[^]*?^\}$/gm, /, compare\w+(?=\),$)/gm];

/** Bundles the table of formats from its source, which is a module: a bundler drops what nothing uses. */
export function formatSources(): Plugin {
  return {
    name: "format-sources",
    setup(esbuild) {
      esbuild.onResolve({ filter: /^ajv-formats\/dist\/formats\.js$/ }, () => ({
        path: resolve("node_modules/ajv-formats/src/formats.ts"),
      }));
      esbuild.onLoad({ filter: /\/node_modules\/ajv-formats\/src\/formats\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, "utf8");
        for (const part of CUTS) if (text.search(part) < 0) throw new Error(`${path} has no ${part}`);
        return { contents: CUTS.reduce((rest, part) => rest.replaceAll(part, ""), text), loader: "ts" };
      });
    },
  };
}
