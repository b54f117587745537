import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path/posix";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";
import { ENDPOINTS } from "../../web/api/endpoints.ts";
import { thirdPartyNotices } from "./third-party-notices.ts";

/** All scripts, styles and fonts together, compressed. */
const MAX_GZIPPED = 400_000;

/** The source outside web/ that the page may have. */
const SHARED = /^src\/util\/text\//;

/** Bundles the web console into a folder: `index.html`, and scripts and styles whose names hold the hash of their content. Throws if it is too large, or if code of the server is in it. */
export async function bundleConsole(outdir: string): Promise<void> {
  const startedAt = performance.now();
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: { console: "web/main.tsx" },
    outdir: join(outdir, "assets"),
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    assetNames: "[name]-[hash]",
    loader: { ".woff2": "file" },
    bundle: true,
    splitting: true,
    format: "esm",
    target: ["chrome120", "firefox121", "safari17"],
    jsx: "automatic",
    minify: true,
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
    plugins: [constantEndpoints],
    define: { "process.env.NODE_ENV": '"production"' },
  });
  const inputs = Object.keys(metafile.inputs);
  const server = inputs.filter((file) => file.startsWith("src/") && !SHARED.test(file));
  if (server.length > 0) throw new Error(`the console would have code of the server: ${server.join(", ")}`);
  const files = Object.keys(metafile.outputs);
  const entry = files.find((file) => metafile.outputs[file]?.entryPoint === "web/main.tsx") ?? "";
  const style = metafile.outputs[entry]?.cssBundle ?? "";
  const page = readFileSync("web/index.html", "utf8")
    .replace("main.tsx", `assets/${basename(entry)}`)
    .replace("style/style.css", `assets/${basename(style)}`);
  writeFileSync(join(outdir, "index.html"), page);
  writeFileSync(
    join(outdir, "THIRD-PARTY-NOTICES.txt"),
    `${thirdPartyNotices(inputs)}\n${readFileSync("web/fonts/LICENSE.txt", "utf8")}`,
  );
  const gzipped = files.reduce((sum, file) => sum + gzipSync(readFileSync(file)).length, 0);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`ok   console, ${Math.round(gzipped / 1000)} KB gzipped (${seconds} s)`);
  for (const file of files.filter((name) => /\.(?:js|css)$/.test(name))) compress(file);
  if (gzipped > MAX_GZIPPED) throw new Error(`the console may have at most ${MAX_GZIPPED / 1000} KB gzipped`);
}

/** Stores a script or style compressed, as most browsers take it: three quarters of a megabyte less in the package. */
function compress(file: string): void {
  writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  rmSync(file);
}

/** Bundles the value of `web/api/endpoints.ts` in place of its code, which imports the operations of the server. */
const constantEndpoints: Plugin = {
  name: "constant-endpoints",
  setup: (bundler) =>
    bundler.onLoad({ filter: /\/web\/api\/endpoints\.ts$/ }, () => ({
      contents: `export const ENDPOINTS = ${JSON.stringify(ENDPOINTS)};`,
    })),
};
