import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { installPacked, npm, type Installed } from "../../scripts/package/install-packed.ts";

// The packed package on the runtimes and with the compilers that docs/library.md names. They are installed once, into the temporary folder.

const RUNTIME_VERSIONS = { node: "22.19.0", bun: "1.4.4", deno: "2.9.6" };
/** The oldest compiler that docs/guides/versions.md names, and the last of each line since; 7 is this repository's own. */
const COMPILER_VERSIONS = ["5.6.3", "5.7.3", "5.8.3", "5.9.3", "6.0.3"];
const VERSIONS: Readonly<Record<string, string>> = {
  ...RUNTIME_VERSIONS,
  ...Object.fromEntries(
    COMPILER_VERSIONS.map((version) => [`typescript-${version}`, `npm:typescript@${version}`]),
  ),
};
const cache = join(
  tmpdir(),
  `toolwright-runtimes-${[...Object.values(RUNTIME_VERSIONS), ...COMPILER_VERSIONS].join("-")}`,
);
const installedIn = (path: string): string => join(cache, "node_modules", path);

const DENO = [
  "run",
  "--no-prompt",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-sys",
  "--allow-run",
];
const RUNTIMES: readonly Runtime[] = [
  { name: "Node 22.19", program: installedIn("node/bin/node"), args: [] },
  { name: "Node 24", program: process.execPath, args: [] },
  { name: "Deno", program: installedIn(".bin/deno"), args: DENO },
  { name: "Bun", program: installedIn(".bin/bun"), args: [], extensions: /extensions cannot be loaded here/ },
];

interface Runtime {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** Why extensions are not loaded. */
  readonly extensions?: RegExp;
}

/** Programs as users write them, from the examples: with each provider and framework, a server, MCP, an API, a fleet, and parts of their own. */
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  "a loop with Anthropic": ["examples/provider-anthropic.ts"],
  "a loop with OpenAI": ["examples/provider-openai.ts", "examples/provider-openai-responses.ts"],
  "the AI SDK, with approvals": ["examples/ai-sdk-tools.ts", "examples/ai-sdk.ts"],
  "OpenAI Agents": ["examples/openai-agents.ts"],
  "LangChain, interrupted and edited": ["examples/langchain.ts"],
  "Mastra, suspended and approved": ["examples/mastra.ts"],
  "a server with users and resumable approvals": ["examples/server.ts", "examples/resume.ts"],
  "an MCP server and a client": ["examples/mcp.ts", "examples/mcp-stdio.ts"],
  "an OpenAPI document": ["examples/http-api.ts"],
  "a fleet": ["examples/fleet.ts"],
  "a journal, an executor, hooks, telemetry and a console of one's own": [
    "examples/journal.ts",
    "examples/executor.ts",
    "examples/hooks.ts",
    "examples/telemetry.ts",
    "examples/console.ts",
  ],
};

let installed: Installed;
before(() => {
  installRuntimes();
  installed = installPacked();
  const { project } = installed;
  for (const file of ["app.ts", "program.cjs"]) {
    cpSync(`test/fixtures/consumer/${file}`, join(project, file));
  }
  const doors = ["store", "tools", "sources"];
  writeFileSync(
    join(project, "import.mjs"),
    `import * as toolwright from "toolwright";
import main from "./program.cjs";
${doors.map((door) => `import * as ${door} from "toolwright/${door}";`).join("\n")}
await main({ toolwright, ${doors.join(", ")} });\n`,
  );
  writeFileSync(
    join(project, "require.cjs"),
    `require("./program.cjs")({ toolwright: require("toolwright"),
${doors.map((door) => `${door}: require("toolwright/${door}")`).join(", ")} });\n`,
  );
  cpSync("examples", join(project, "examples"), { recursive: true });
  linkPackages(project);
});
after(() => installed.remove());

for (const { name, program, args, extensions = /^hello$/ } of RUNTIMES) {
  for (const file of ["import.mjs", "require.cjs"]) {
    test(`on ${name}, ${file} runs engine, store, file tools and shell`, () => {
      const output = run(program, [...args, file]);
      assert.match(output, /^ok /);
      assert.match(output.slice("ok ".length).trim(), extensions);
    });
  }
}

test("in Deno, an engine whose tools touch nothing needs only the permission to know the home folder", () => {
  writeFileSync(
    join(installed.project, "small.mjs"),
    `import { createEngine, defineTool } from "toolwright";
const now = defineTool({ name: "now", description: "Says ok.", risk: "low", run: () => "ok" });
const engine = createEngine({ tools: [now] });
console.log((await engine.run({ id: "1", name: "now", input: {} })).content[0].text);
await engine.close();\n`,
  );
  const args = ["run", "--no-prompt", "--allow-sys=homedir", "small.mjs"];
  assert.equal(run(installedIn(".bin/deno"), args), "ok\n");
});

const COMPILERS: readonly (readonly [version: string, program: string])[] = [
  ...COMPILER_VERSIONS.map((version) => [version, installedIn(`typescript-${version}/bin/tsc`)] as const),
  ["7", resolve("node_modules/typescript/bin/tsc")],
];
/** es2024 is known from 5.7 on. */
const edition = (version: string): string => (version.startsWith("5.6") ? "es2023" : "es2024");
const moduleOf = (module: string): object =>
  module === "bundler" ? { module: "esnext", moduleResolution: "bundler" } : { module };

for (const [version, compiler] of COMPILERS) {
  for (const module of ["node16", "nodenext", "bundler"])
    test(`TypeScript ${version} compiles a strict program against the types with ${module}`, () => {
      const compilerOptions = { ...strict(version), ...moduleOf(module), skipLibCheck: false };
      compileWith(compiler, { compilerOptions, files: ["app.ts"] });
      assert.match(run(process.execPath, [compiler, "--version"]), new RegExp(`^Version ${version}`));
    });

  test(`TypeScript ${version} compiles the eleven programs strictly, without a cast`, () => {
    const compilerOptions = {
      ...strict(version),
      ...moduleOf("nodenext"),
      noUncheckedIndexedAccess: true,
      allowImportingTsExtensions: true,
      // The declarations of other packages have errors of their own.
      skipLibCheck: true,
    };
    const files = Object.values(PROGRAMS).flat();
    for (const file of files)
      assert.doesNotMatch(readFileSync(join(installed.project, file), "utf8"), / as (?:any|never|unknown)\b/);
    compileWith(compiler, { compilerOptions, files });
  });
}

function strict(version: string): object {
  const target = edition(version);
  return {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target,
    lib: [target, "esnext.disposable"],
    types: ["node"],
  };
}

function compileWith(compiler: string, config: object): void {
  const file = join(installed.project, "tsconfig.json");
  writeFileSync(file, JSON.stringify(config));
  assert.equal(run(process.execPath, [compiler, "-p", file]), "");
}

for (const [name, files] of Object.entries(PROGRAMS))
  for (const file of files)
    test(`${name}: ${basename(file)} runs with the packed package`, () => {
      assert.notEqual(run(process.execPath, [file]).trim(), "");
    });

/** Gives the project the packages of this repository that it has not installed: those that the programs use beside ours. */
function linkPackages(project: string): void {
  for (const name of globSync(["*", "@*/*"], { cwd: "node_modules" })) {
    const target = join(project, "node_modules", name);
    if (name.startsWith(".") || (name.startsWith("@") && !name.includes("/")) || existsSync(target)) continue;
    mkdirSync(dirname(target), { recursive: true });
    symlinkSync(resolve("node_modules", name), target);
  }
}

/** Runs a program in the project and returns its output. */
function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: installed.project,
    encoding: "utf8",
    env: { ...process.env, NO_COLOR: "1", DENO_DIR: join(cache, "deno"), DENO_NO_UPDATE_CHECK: "1" },
  });
  assert.equal(status, 0, `${program} ${args.join(" ")}: ${error?.message ?? ""}\n${stdout}\n${stderr}`);
  return stdout;
}

/** A runtime that is not there for this machine fails its own tests only. Installs into a folder of its own first, for runs at the same time. */
function installRuntimes(): void {
  if (RUNTIMES.every(({ program }) => existsSync(program))) return;
  const folder = mkdtempSync(`${cache}-`);
  // Newer versions of npm run only these scripts; they put the programs in place.
  const allowScripts = { node: true, bun: true, deno: true };
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, allowScripts, optionalDependencies: VERSIONS }),
  );
  try {
    npm(["install", "--no-audit", "--no-fund"], folder);
    rmSync(cache, { recursive: true, force: true });
    renameSync(folder, cache);
  } catch (error) {
    rmSync(folder, { recursive: true });
    // Another run was quicker.
    if (!existsSync(cache)) throw error;
  }
}
