// Builds dist/: the bundle, its type declarations, the files that the program reads, the licences of what is bundled, and the web console. Of the program and
// the console, only the one whose sources have changed since its last build. The new dist/ is built beside the old one and takes its place at the end, whole. No
// rename exchanges two folders in one step: a program that starts in the moment between the two finds none.
import { createHash } from "node:crypto";
import {
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { bundle } from "./build/bundle.ts";
import { bundleConsole } from "./build/bundle-console.ts";
import { pruneDeclarations } from "./build/prune-declarations.ts";
import { thirdPartyNotices } from "./build/third-party-notices.ts";
import { runStep } from "./run-step.ts";

/** A part of `dist/`, and the file there that holds the hash of the sources that it was built from. */
interface Part {
  readonly stamp: string;
  readonly hash: string;
  readonly build: (folder: string) => Promise<void>;
}

const DIST = "dist";
/** Of this process, since two may build at the same time. */
const NEXT = `${DIST}.next-${process.pid}`;
const PREVIOUS = `${DIST}.previous-${process.pid}`;
/** The packages, for which the lock file stands, and the settings of the compiler. */
const COMMON = ["tsconfig*.json", "package*.json", "scripts/build.ts"];

/** The interpreter of run_code. */
const QUICKJS = "node_modules/@jitl/quickjs-wasmfile-release-sync/dist";

const program: Part = {
  stamp: ".built-from",
  hash: hashOf(["src/**/*.ts", "scripts/build/*.{ts,js}", ...COMMON]),
  build: buildProgram,
};
const webConsole: Part = {
  stamp: ".built-from-console",
  hash: hashOf([
    "web/**",
    "src/util/text/*.ts",
    "src/app/http/api/*.ts",
    "scripts/build/bundle-console.ts",
    ...COMMON,
  ]),
  build: (folder) => bundleConsole(join(folder, "console")),
};
await replaceDist([program, webConsole].filter((part) => !isBuilt(part)));

async function replaceDist(changed: readonly Part[]): Promise<void> {
  if (changed.length === 0) return;
  process.on("exit", () => {
    for (const folder of [NEXT, PREVIOUS]) rmSync(folder, { recursive: true, force: true });
  });
  mkdirSync(NEXT);
  if (!changed.includes(program)) copyOld((name) => !/console/.test(name));
  if (!changed.includes(webConsole)) copyOld((name) => /console/.test(name));
  for (const { stamp, hash, build } of changed) {
    await build(NEXT);
    writeFileSync(join(NEXT, stamp), hash);
  }
  if (statSync(DIST, { throwIfNoEntry: false }) !== undefined) renameSync(DIST, PREVIOUS);
  renameSync(NEXT, DIST);
}

function isBuilt({ stamp, hash }: Part): boolean {
  return readIfPresent(join(DIST, stamp)) === hash;
}

/** Copies what is in `dist/` under names that pass. */
function copyOld(isTaken: (name: string) => boolean): void {
  for (const name of readdirSync(DIST).filter(isTaken)) {
    cpSync(join(DIST, name), join(NEXT, name), { recursive: true });
  }
}

async function buildProgram(folder: string): Promise<void> {
  const startedAt = performance.now();
  const inputs = await bundle(folder);
  const interpreter = readFileSync(`${QUICKJS}/emscripten-module.wasm`);
  writeFileSync(join(folder, "quickjs.wasm.br"), brotliCompressSync(interpreter));
  await writeProgramSchemas(folder);
  writeFileSync(join(folder, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(inputs));
  console.log(`ok   bundle (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  // Only errors of the declarations end it: `npm run check` looks for all others.
  runStep("types", ["tsc", "-p", "tsconfig.build.json", "--outDir", folder]);
  pruneDeclarations(folder);
}

function hashOf(sources: readonly string[]): string {
  const all = createHash("sha256").update(process.version);
  for (const file of globSync(sources).sort()) {
    if (statSync(file).isFile() && !file.endsWith(".test.ts")) {
      all.update(`\0${file}\0`).update(readFileSync(file));
    }
  }
  return all.digest("hex");
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** Writes what each program of libexec/ prints for `--schema`, so that a scan for tools starts no Node. */
async function writeProgramSchemas(folder: string): Promise<void> {
  const { PROGRAMS } = await import("../src/app/libexec/programs.ts");
  const { schemaOf } = await import("../src/app/libexec/pages.ts");
  mkdirSync(join(folder, "libexec"), { recursive: true });
  for (const [name, program] of Object.entries(PROGRAMS)) {
    writeFileSync(join(folder, "libexec", `${name}.json`), `${JSON.stringify(schemaOf(program))}\n`);
  }
}
