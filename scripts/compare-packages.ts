// Measures this package and others of its kind in empty projects, and writes the table of docs/guides/sizes.md.
import { execFileSync, spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { npm, pack } from "./package/install-packed.ts";

const PAGE = "docs/guides/sizes.md";
/** The middle of so many runs: the first has cold files. */
const RUNS = 5;

interface Candidate {
  readonly name: string;
  /** What npm installs. */
  readonly install: readonly string[];
  /** The smallest program that defines a tool with one parameter. */
  readonly program: string;
}

const folder = mkdtempSync(join(tmpdir(), "toolwright-compare-"));
const CANDIDATES: readonly Candidate[] = [
  {
    name: "toolwright",
    install: [pack(folder)],
    program: `import { createEngine, defineTool, s } from "toolwright";
const add = defineTool({ name: "add", description: "Adds one.", reading: true, input: s.object({ a: s.number() }), run: ({ a }) => a + 1 });
export const engine = createEngine({ tools: [add] });`,
  },
  {
    name: "ai",
    install: ["ai", "zod"],
    program: `import { generateText, tool } from "ai";
import { z } from "zod";
export const add = tool({ description: "Adds one.", inputSchema: z.object({ a: z.number() }), execute: async ({ a }) => a + 1 });
export const run = generateText;`,
  },
  {
    name: "@openai/agents",
    install: ["@openai/agents", "zod"],
    program: `import { Agent, tool } from "@openai/agents";
import { z } from "zod";
const add = tool({ name: "add", description: "Adds one.", parameters: z.object({ a: z.number() }), execute: async ({ a }) => String(a + 1) });
export const agent = new Agent({ name: "a", tools: [add] });`,
  },
  {
    name: "@mastra/core",
    install: ["@mastra/core", "zod"],
    program: `import { createTool } from "@mastra/core/tools";
import { z } from "zod";
export const add = createTool({ id: "add", description: "Adds one.", inputSchema: z.object({ a: z.number() }), execute: async () => ({ sum: 1 }) });`,
  },
  {
    name: "@modelcontextprotocol/server",
    install: ["@modelcontextprotocol/server", "zod"],
    program: `import { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
export const server = new McpServer({ name: "a", version: "1" });
server.registerTool("add", { description: "Adds one.", inputSchema: z.object({ a: z.number() }) }, async ({ a }) => ({ content: [{ type: "text", text: String(a + 1) }] }));`,
  },
];

const HEADINGS = [
  "package",
  "packages",
  "MB",
  "bundle, KB gzipped",
  "loaded at once, KB",
  "import, ms CPU",
  "type check, s CPU",
];

try {
  const empty = cpuOf([process.execPath, "-e", ""], folder);
  const rows: string[] = [];
  for (const candidate of CANDIDATES) {
    const row = await measure(candidate, empty);
    console.log(row);
    rows.push(row);
  }
  const [head = ""] = readFileSync(PAGE, "utf8").split("\n| ");
  const titles = [`| ${HEADINGS.join(" | ")} |`, `|${" --- |".repeat(HEADINGS.length)}`];
  writeFileSync(PAGE, `${head.trimEnd()}\n\n${[...titles, ...rows].join("\n")}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure({ name, install, program }: Candidate, emptyMs: number): Promise<string> {
  const project = join(folder, name.replaceAll(/\W/g, "-"));
  mkdirSync(project);
  writeFileSync(join(project, "package.json"), '{ "name": "project", "type": "module", "private": true }');
  npm(["install", "--no-audit", "--no-fund", "--ignore-scripts", ...install], project);
  const packages = npm(["ls", "--all", "--parseable"], project).trim().split("\n").length - 1;
  const kilobytes = Number(
    execFileSync("du", ["-sk", join(project, "node_modules")], { encoding: "utf8" }).split("\t")[0],
  );
  writeFileSync(join(project, "app.ts"), program);
  const { version } = JSON.parse(
    readFileSync(join(project, "node_modules", name, "package.json"), "utf8"),
  ) as { version: string };
  const cells = [
    `${name} ${version}`,
    packages,
    Math.round(kilobytes / 1024),
    await bundled(project, false),
    await bundled(project, true),
    Math.round(cpuOf([process.execPath, join(project, "out/app.js")], project) - emptyMs),
    (typeCheckMs(project) / 1000).toFixed(1),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** Returns the size of the program, bundled and minified for Node: in one file, or, split, of what it loads before its first call. */
async function bundled(project: string, splitting: boolean): Promise<number> {
  const outdir = join(project, "out");
  rmSync(outdir, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [join(project, "app.ts")],
    outdir,
    bundle: true,
    splitting,
    minify: true,
    format: "esm",
    platform: "node",
    external: ["@lydell/node-pty", "@vscode/ripgrep"],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    metafile: true,
    logLevel: "error",
  });
  const needed = new Set(globSync(join(outdir, "app.js")));
  for (const file of needed) {
    const entry = Object.entries(metafile.outputs).find(([path]) => resolve(path) === file);
    for (const { path, kind } of entry?.[1].imports ?? [])
      if (kind === "import-statement" && path.endsWith(".js") && path.includes("out/"))
        needed.add(resolve(path));
  }
  const code = Buffer.concat([...needed].map((file) => readFileSync(file)));
  return Math.round(gzipSync(code).length / 1000);
}

/** Returns the milliseconds of CPU that a program takes: the middle of some runs. */
function cpuOf(command: readonly string[], cwd: string): number {
  const [program = "", ...args] = command;
  const times = Array.from({ length: RUNS }, () => {
    const before = childMs();
    const { status, stderr } = spawnSync(program, args, { cwd, encoding: "utf8" });
    if (status !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
    return childMs() - before;
  });
  return times.sort((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0;
}

/** The CPU time of all child processes that have ended. */
function childMs(): number {
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function typeCheckMs(project: string): number {
  const compilerOptions = {
    strict: true,
    skipLibCheck: true,
    target: "es2024",
    lib: ["es2024", "esnext.disposable", "dom"],
    module: "nodenext",
    types: ["node"],
    typeRoots: [resolve("node_modules/@types")],
    noEmit: true,
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["app.ts"] }));
  return cpuOf([resolve("node_modules/.bin/tsc"), "-p", project], project);
}
