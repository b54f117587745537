// Builds dist/ from scratch, unless it was built from just these sources: the bundle, its type declarations, the files that the program reads, and the licences of what is bundled.
import { createHash } from "node:crypto";
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "./build/bundle.ts";
import { pruneDeclarations } from "./build/prune-declarations.ts";
import { thirdPartyNotices } from "./build/third-party-notices.ts";
import { runStep } from "./run-step.ts";

const DIST = "dist";
/** What the build reads. The lock file stands for the packages. */
const SOURCES = ["src/**/*.ts", "scripts/build.ts", "scripts/build/*.ts", "tsconfig*.json", "package*.json"];
/** Holds the hash of the sources; written last, so that an interrupted build is done again. */
const BUILT_FROM = join(DIST, ".built-from");

/** The interpreter of run_code. */
const QUICKJS = "node_modules/@jitl/quickjs-wasmfile-release-sync/dist";

const hash = hashOfSources();
if (!isBuiltFrom(hash)) {
  rmSync(DIST, { recursive: true, force: true });
  const startedAt = performance.now();
  const inputs = await bundle(DIST);
  copyFileSync(`${QUICKJS}/emscripten-module.wasm`, join(DIST, "quickjs.wasm"));
  await writeProgramSchemas();
  writeFileSync(join(DIST, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(inputs));
  console.log(`ok   bundle (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  runStep("types", ["tsc", "-p", "tsconfig.build.json"]);
  pruneDeclarations(DIST);
  writeFileSync(BUILT_FROM, hash);
}

function hashOfSources(): string {
  const all = createHash("sha256").update(process.version);
  for (const file of globSync(SOURCES).sort()) {
    if (!file.endsWith(".test.ts")) all.update(`\0${file}\0`).update(readFileSync(file));
  }
  return all.digest("hex");
}

function isBuiltFrom(sources: string): boolean {
  try {
    return readFileSync(BUILT_FROM, "utf8") === sources;
  } catch {
    return false;
  }
}

/** Writes what each program of libexec/ prints for `--schema`, so that a scan for tools starts no Node. */
async function writeProgramSchemas(): Promise<void> {
  const { PROGRAMS } = await import("../src/app/libexec/programs.ts");
  const { schemaOf } = await import("../src/app/libexec/pages.ts");
  mkdirSync(join(DIST, "libexec"), { recursive: true });
  for (const [name, program] of Object.entries(PROGRAMS)) {
    writeFileSync(join(DIST, "libexec", `${name}.json`), `${JSON.stringify(schemaOf(program))}\n`);
  }
}
