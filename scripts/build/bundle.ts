import { globSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { basename } from "node:path";
import type { BuildOptions, Plugin } from "esbuild";
import { build, transform } from "esbuild";
import { PACKAGE_SOURCE, trimSourceMaps } from "./trim-source-maps.ts";

/** Packages with native parts: they stay dependencies of the package. */
const EXTERNAL = ["@lydell/node-pty", "@vscode/ripgrep"];

const COMMON: BuildOptions = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22.18",
  // The UMD build of a package cannot be bundled.
  mainFields: ["module", "main"],
  metafile: true,
  sourcemap: true,
  minifySyntax: true,
  minifyWhitespace: true,
  logLevel: "warning",
  // Ink asks for React's developer tools only if DEV is "true"; React's production build is smaller and faster.
  define: { "process.env.DEV": '"false"', "process.env.NODE_ENV": '"production"' },
  external: [...EXTERNAL, "react-devtools-core"],
  plugins: [requireBuiltins(), minifyPackages()],
};

/** Bundles the doors, the command line and the programs of libexec/ into a folder. Returns the files that went in. */
export async function bundle(outdir: string): Promise<readonly string[]> {
  const doors = globSync("src/doors/*.ts").map((file) => [`doors/${basename(file, ".ts")}`, file]);
  const results = [
    await build({
      ...COMMON,
      outdir,
      splitting: true,
      chunkNames: "chunks/[name]-[hash]",
      entryPoints: {
        index: "src/index.ts",
        ...Object.fromEntries(doors),
        main: "src/app/cli/main.ts",
        "pdf-worker": "src/tools/files/read/pdf-worker.ts",
      },
    }),
    // One file: the programs of libexec/ are started often and share nothing with the rest.
    await build({ ...COMMON, sourcemap: false, outdir, entryPoints: { libexec: "src/app/libexec/programs.ts" } }),
  ];
  trimSourceMaps(outdir);
  return results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
}

/** Lets bundled CommonJS packages require Node's own modules from an ES module. */
function requireBuiltins(): Plugin {
  return {
    name: "require-builtins",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[a-z:_/]+$/ }, ({ kind, path }) =>
        kind === "require-call" && isBuiltin(path) ? { path, namespace: "builtin" } : undefined,
      );
      onLoad({ filter: /.*/, namespace: "builtin" }, ({ path }) => ({
        contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      }));
    },
  };
}

/** Minifies packages and gives their code one nameless source: a stack trace names our files, and the package stays small. */
function minifyPackages(): Plugin {
  const map = JSON.stringify({ version: 3, sources: [PACKAGE_SOURCE], sourcesContent: [""], mappings: "AAAA" });
  const comment = `//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString("base64")}`;
  return {
    name: "minify-packages",
    setup(esbuild) {
      esbuild.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
        const { code } = await transform(await readFile(path, "utf8"), {
          minify: true,
          legalComments: "none",
        });
        return { contents: code + comment, loader: "js" };
      });
    },
  };
}
