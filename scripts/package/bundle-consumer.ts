import { execFileSync } from "node:child_process";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { rollup } from "@rollup/wasm-node";

/** Bundles `app.js` of a project with common bundlers and runs each result. Throws if one does not print `ok`. */
export async function bundleConsumer(project: string): Promise<void> {
  const app = join(project, "app.js");
  for (const format of ["esm", "cjs"] as const) {
    const outfile = join(project, format === "esm" ? "esbuild.mjs" : "esbuild.cjs");
    await build({ entryPoints: [app], bundle: true, platform: "node", format, outfile, logLevel: "error" });
    runBundle(`esbuild, ${format}`, outfile, project);
  }
  const { write, close } = await rollup({
    input: app,
    external: (id) =>
      !id.startsWith(".") && !id.startsWith("/") && !id.startsWith("toolwright") && id !== "#platform",
    plugins: [resolveToolwright(project)],
    onwarn: ({ message }) => {
      throw new Error(`rollup: ${message}`);
    },
  });
  await write({
    dir: join(project, "rollup"),
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await close();
  runBundle("rollup", join(project, "rollup", "app.mjs"), project);
}

/** Resolves this package's exports, which rollup does only with a plugin. */
function resolveToolwright(project: string): { name: string; resolveId(id: string): string | undefined } {
  const root = resolve(project, "node_modules/toolwright/dist");
  return {
    name: "resolve-toolwright",
    resolveId: (id) => {
      if (id === "#platform") return join(root, "platform/node.js");
      const [, door] = /^toolwright(?:\/(.+))?$/.exec(id) ?? [];
      if (!id.startsWith("toolwright")) return undefined;
      return join(root, door === undefined ? "index.js" : `doors/${door}.js`);
    },
  };
}

function runBundle(name: string, file: string, project: string): void {
  const output = execFileSync(process.execPath, [file], { cwd: project, encoding: "utf8" });
  if (output.trim().endsWith("ok")) console.log(`ok   bundled by ${name}`);
  else throw new Error(`${name}: the bundle printed ${JSON.stringify(output)}`);
}
