import { readFile } from "node:fs/promises";
import { isBuiltin } from "node:module";
import { join, relative } from "node:path/posix";
import { build, transform, type BuildOptions, type Plugin } from "esbuild";
import { formatSources } from "./format-sources.ts";
import { compressPdfjs, dropMcpAjv, repeatSpacesLate } from "./trim-packages.ts";
import { writeHash, writeModule, writeModules } from "./write-modules.ts";

/** Packages with native parts, which stay dependencies of the package, and those that the user installs for a door. */
const EXTERNAL = [
  "#platform",
  "@lydell/node-pty",
  "@vscode/ripgrep",
  "@opentelemetry/*",
  "@nats-io/*",
  "ai",
  "@openai/agents",
  "@langchain/core/*",
  "@mastra/core/*",
  "mockttp",
];

const COMMON: BuildOptions = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "node22.19",
  // The UMD build of a package cannot be bundled.
  mainFields: ["module", "main"],
  metafile: true,
  // THIRD-PARTY-NOTICES.txt has them.
  legalComments: "none",
  logLevel: "warning",
  define: { "process.env.NODE_ENV": '"production"' },
  external: EXTERNAL,
  plugins: [formatSources(), getBuiltins(), dropLocales(), shareUndici(), dropMcpAjv(), repeatSpacesLate()],
};

const ROOT = [
  "src/check-node.ts",
  "src/schema/parse-document.ts",
  "src/util/text/content-text.ts",
  "src/doors/extension.ts",
  "src/index.ts",
];
/** Small files of the command line that doors have too: otherwise each would be a chunk. */
const SHARED = [
  "src/sources/external/source.ts",
  "src/sources/mcp/tools/names.ts",
  "src/sources/mcp/types/source-types.ts",
  "src/sources/runnable-names.ts",
  "src/system/files/content-hash.ts",
  "src/app/host/approvals/join-approvers.ts",
  "src/app/host/skills/skills.ts",
  "node:module",
  "node:stream",
];
const STORE = [...ROOT, ...SHARED, "src/doors/tools.ts", "src/doors/store.ts"];
const TOOLS = [...ROOT, ...SHARED, "src/doors/store.ts", "src/doors/tools.ts"];
const SOURCES = [...TOOLS, "src/doors/sources.ts"];
/** What `call` needs besides the family of the tool: those files that several families have would each be a chunk. */
const CALL = [
  ...STORE.filter((file) => file !== "src/doors/tools.ts"),
  "src/app/cli/main.ts",
  "src/app/cli/calls/call.ts",
];
/** The files that other commands have in common. */
const COMMAND = [...TOOLS, "src/app/cli/main.ts", "src/app/cli/calls/call.ts"];
/** A command that needs none of them. */
const HELP = "src/app/cli/help.ts";
/** What the library loads with `import()`: with the layers of the program or of the tools, a program that bundles the library would have all of them. */
const OF_LIBRARY =
  /^src\/(?:engine|json-schema|schema|store\/artifacts|system\/paths|util)\/|^src\/app\/host\/(?:policy|all-command-modules)\.ts$/;
const OF_CALL = /^src\/(?:app\/cli\/calls\/call|tools\/[a-z]+\/family)\.ts$/;
/** What judges commands: loaded by a URL that bundlers do not follow, or a third of a small program would be the reader of commands that it never runs. */
const HIDDEN: ReadonlySet<string> = new Set([
  "src/app/host/changed-secrets.ts",
  "src/app/host/finds-protected.ts",
  "src/shell/commands.ts",
  "src/system/box/box.ts",
  "src/system/git/folder-programs.ts",
  "src/system/git/hardened-environment.ts",
]);
/** The files that each entry point loads, its own last. Code that it shares with the others is in their chunks: a few large ones instead of dozens. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  index: ROOT,
  "doors/extension": [...ROOT, "src/doors/extension.ts"],
  "doors/models": [...ROOT, "src/doors/models.ts"],
  "doors/store": STORE,
  "doors/tools": TOOLS,
  "doors/sources": SOURCES,
  "doors/agent": [...TOOLS, "src/doors/models.ts", "src/doors/agent.ts"],
  "doors/mcp": [...SOURCES, "src/doors/mcp.ts"],
  "doors/fleet": [...ROOT, "src/doors/fleet.ts"],
  "doors/console": [...ROOT, "src/doors/store.ts", "src/doors/console.ts"],
  "doors/opentelemetry": [...ROOT, "src/doors/opentelemetry.ts"],
  "doors/ai-sdk": [...ROOT, "src/doors/ai-sdk.ts"],
  "doors/openai-agents": [...ROOT, "src/doors/openai-agents.ts"],
  "doors/langchain": [...ROOT, "src/doors/langchain.ts"],
  "doors/mastra": [...ROOT, "src/doors/mastra.ts"],
  "doors/testing": [...TOOLS, "src/doors/models.ts", "src/doors/agent.ts", "src/doors/testing.ts"],
  main: ["src/app/cli/main.ts"],
  [HELP]: [HELP],
};
/** The programs of libexec, each call of which is a process: one file loads faster than the chunks that it would share. */
const LIBEXEC = { libexec: "src/app/libexec/programs.ts" };
const PLAIN: BuildOptions = { minify: true };
const NONE: ReadonlySet<string> = new Set();
/** Programs and workers with a process or thread of their own: each loads its own code only, and the chunks above stay few. */
const PROGRAMS = {
  "tool-server": "src/app/tool-server/main.ts",
  "checkpoint-worker": "src/store/database/checkpoint-worker.ts",
  "image-worker": "src/tools/web/image-worker.ts",
  "page-worker": "src/tools/web/page-worker.ts",
  "pdf-worker": "src/tools/files/read/pdf-worker.ts",
  "program-worker": "src/tools/code/program-worker.ts",
  "proxy-program": "src/tools/proxy/program/proxy-program.ts",
};

/** Bundles the exports of the package, the command line and the programs that it starts into a folder. Returns the files that went in. */
export async function bundle(outdir: string): Promise<readonly string[]> {
  const split: BuildOptions = {
    ...COMMON,
    outdir,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
  };
  const results = await Promise.all([
    build({
      ...split,
      minifySyntax: true,
      inject: ["scripts/build/platform.js"],
      entryPoints: Object.fromEntries(
        Object.keys(ENTRIES).flatMap((name) => (name === HELP ? [] : [[name, `entry:${name}`]])),
      ),
      plugins: [layeredEntries(), ...(COMMON.plugins ?? []), minifyPackages()],
    }),
    build({
      ...split,
      ...PLAIN,
      entryPoints: PROGRAMS,
      plugins: [compressPdfjs(outdir), ...(COMMON.plugins ?? [])],
    }),
    build({
      ...COMMON,
      outdir,
      minifySyntax: true,
      entryPoints: LIBEXEC,
    }),
    build({
      ...COMMON,
      ...PLAIN,
      plugins: [getBuiltins()],
      outfile: join(outdir, "undici.js"),
      stdin: { contents: undiciParts(), resolveDir: process.cwd() },
    }),
  ]);
  for (const name of ["node", "web"])
    await build({
      ...COMMON,
      ...PLAIN,
      plugins: [],
      entryPoints: [`src/system/edge/${name}.ts`],
      outdir: join(outdir, "platform"),
    });
  const outputs = results[0].metafile?.outputs ?? {};
  await writeModules(outdir, outputs, (entry) => HIDDEN.has(entry.replace(/^(?:entry:)*/, "")));
  await writeModule(join(outdir, "libexec.js"), outdir, { isDense: true, hidden: NONE });
  writeHash(outdir);
  return results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
}

/** Makes each entry point load the ones before it, so that the bundle has a few chunks instead of dozens of tiny ones. */
function layeredEntries(): Plugin {
  return {
    name: "layered-entries",
    setup(esbuild) {
      esbuild.onResolve({ filter: /^entry:/ }, ({ path }) => ({ path, namespace: "entry" }));
      esbuild.onResolve({ filter: /^\..*\.ts$/ }, ({ kind, path, resolveDir }) =>
        kind === "dynamic-import"
          ? { path: `entry:${relative("", join(resolveDir, path))}`, namespace: "entry" }
          : undefined,
      );
      esbuild.onLoad({ filter: /.*/, namespace: "entry" }, ({ path }) => {
        const name = path.slice("entry:".length);
        // A file that is loaded with import(): one of the command line, a family of tools, or one of the tools.
        const layers = OF_CALL.test(name) ? CALL : name.startsWith("src/app/") ? COMMAND : TOOLS;
        const isOfLibrary = OF_LIBRARY.test(name) || HIDDEN.has(name);
        const files = ENTRIES[name] ?? [...(isOfLibrary ? ROOT : layers), name];
        const first = files.slice(0, -1).map((file) => `import "${isBuiltin(file) ? "" : "./"}${file}";`);
        return {
          contents: [...first, `export * from "./${files.at(-1) ?? ""}";`].join("\n"),
          resolveDir: process.cwd(),
        };
      });
    },
  };
}

/**
 * Reads Node's own modules with `process.getBuiltinModule`: bundled CommonJS packages can require them from an ES module, and an import
 * does not make Node load everything that a module exports lazily, such as the streams of `node:fs`.
 */
function getBuiltins(): Plugin {
  return {
    name: "get-builtins",
    setup(esbuild) {
      esbuild.onResolve({ filter: /^[a-z0-9:_/]+$/ }, ({ kind, path, importer }) => {
        if (!isBuiltin(path) || (kind !== "require-call" && kind !== "import-statement")) return undefined;
        // Packages have their own copies, or each module that one of their chunks shares with ours would be a chunk.
        const suffix = importer.includes("node_modules") ? "?package" : "";
        return { path: path.replace(/^node:/, ""), suffix, namespace: kind };
      });
      esbuild.onLoad({ filter: /.*/, namespace: "require-call" }, ({ path }) => ({
        contents: `module.exports = ${getterOf(path)};`,
      }));
      esbuild.onLoad({ filter: /.*/, namespace: "import-statement" }, ({ path }) => ({
        contents: [
          `let loaded; const load = () => (loaded ??= ${getterOf(path)});`,
          "export default /* @__PURE__ */ load();",
          ...Object.entries(process.getBuiltinModule(`node:${path}`) ?? {}).map(([name, value]) =>
            LOADED_LATE.has(path) && typeof value === "function" && /^[a-z]/.test(name)
              ? `export function ${name}(...given) { return load().${name}(...given); }`
              : // Marked as pure: esbuild drops the names that nothing imports.
                `export const ${name} = /* @__PURE__ */ (() => load().${name})();`,
          ),
        ].join("\n"),
      }));
    },
  };
}

/** Modules of Node that load for milliseconds: what imports only functions of them loads them at the first call of one. */
const LOADED_LATE: ReadonlySet<string> = new Set(["crypto", "fs/promises", "net", "timers/promises"]);

function getterOf(path: string): string {
  return `process.getBuiltinModule("node:${path}")`;
}

/** Leaves out Zod's messages in other languages, a quarter of a megabyte; English is imported by its own name. */
function dropLocales(): Plugin {
  return {
    name: "drop-locales",
    setup(esbuild) {
      esbuild.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
        contents: 'export { default as en } from "./en.js";',
      }));
    },
  };
}

/** The parts of undici that we use, not its fetch, its caches and its mocks, which are half a megabyte. */
function undiciParts(): string {
  const parts = {
    Agent: "dispatcher/agent.js",
    ProxyAgent: "dispatcher/proxy-agent.js",
    buildConnector: "core/connect.js",
  };
  return [
    ...Object.entries(parts).map(
      ([name, file]) => `export { default as ${name} } from "undici/lib/${file}";`,
    ),
    // Its index adds the methods of a dispatcher; a ProxyAgent opens tunnels with this one.
    'import Dispatcher from "undici/lib/dispatcher/dispatcher.js";',
    'import connect from "undici/lib/api/api-connect.js";',
    "Object.assign(Dispatcher.prototype, { connect });",
  ].join("\n");
}

/** Makes our code import undici from the one file that all bundles share: `imports` of package.json names it. */
function shareUndici(): Plugin {
  return {
    name: "share-undici",
    setup(esbuild) {
      esbuild.onResolve({ filter: /^undici$/ }, ({ importer }) =>
        importer.includes("node_modules") ? undefined : { path: "#undici", external: true },
      );
    },
  };
}

/** Minifies packages, whose names are in no stack trace of ours. */
function minifyPackages(): Plugin {
  return {
    name: "minify-packages",
    setup(esbuild) {
      esbuild.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
        const { code } = await transform(await readFile(path, "utf8"), {
          minify: true,
          legalComments: "none",
        });
        return { contents: code, loader: "js" };
      });
    },
  };
}
