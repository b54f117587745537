import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { installPacked, npm, type Installed } from "../../scripts/package/install-packed.ts";

// The packed package on the runtimes and with the compilers that docs/library.md names. They are installed once, into the temporary folder.

const VERSIONS = { node: "22.19.0", bun: "1.4.4", deno: "2.9.6", typescript: "5.7.3" };
const cache = join(tmpdir(), `toolwright-runtimes-${Object.values(VERSIONS).join("-")}`);
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
  symlinkSync(resolve("node_modules/@types"), join(project, "node_modules/@types"));
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

const COMPILERS = {
  [VERSIONS.typescript]: installedIn("typescript/bin/tsc"),
  7: "node_modules/typescript/bin/tsc",
};
for (const [version, compiler] of Object.entries(COMPILERS)) {
  for (const module of ["node16", "nodenext", "bundler"]) {
    test(`TypeScript ${version} compiles a strict program against the types with ${module}`, () => {
      const compilerOptions = {
        strict: true,
        skipLibCheck: false,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        target: "es2024",
        lib: ["es2024", "esnext.disposable"],
        types: ["node"],
        ...(module === "bundler" ? { module: "esnext", moduleResolution: "bundler" } : { module }),
      };
      const config = join(installed.project, "tsconfig.json");
      writeFileSync(config, JSON.stringify({ compilerOptions, files: ["app.ts"] }));
      assert.equal(run(process.execPath, [resolve(compiler), "-p", config]), "");
      assert.match(
        run(process.execPath, [resolve(compiler), "--version"]),
        new RegExp(`^Version ${version}`),
      );
    });
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
