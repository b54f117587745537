// Builds dist/: the bundle, its type declarations, the files that the program reads, the licences of what is bundled, and the web console. Of the program and
// the console, only the one whose sources have changed since its last build.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  globSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { bundle } from "./build/bundle.ts";
import { bundleConsole } from "./build/bundle-console.ts";
import { pruneDeclarations } from "./build/prune-declarations.ts";
import { thirdPartyNotices } from "./build/third-party-notices.ts";
import { runStep } from "./run-step.ts";

const DIST = "dist";
/** The packages, for which the lock file stands, and the settings of the compiler. */
const COMMON = ["tsconfig*.json", "package*.json", "scripts/build.ts"];

/** The interpreter of run_code. */
const QUICKJS = "node_modules/@jitl/quickjs-wasmfile-release-sync/dist";

await buildIfChanged(".built-from", ["src/**/*.ts", "scripts/build/*.ts", ...COMMON], async () => {
  for (const name of readdirSync(DIST).filter((name) => !/console/.test(name))) {
    rmSync(join(DIST, name), { recursive: true });
  }
  const startedAt = performance.now();
  const inputs = await bundle(DIST);
  copyFileSync(`${QUICKJS}/emscripten-module.wasm`, join(DIST, "quickjs.wasm"));
  await writeProgramSchemas();
  writeFileSync(join(DIST, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(inputs));
  console.log(`ok   bundle (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  // Only errors of the declarations end it: `npm run check` looks for all others.
  runStep("types", ["tsc", "-p", "tsconfig.build.json"]);
  pruneDeclarations(DIST);
});
await buildIfChanged(
  ".built-from-console",
  [
    "web/**",
    "src/util/text/*.ts",
    "src/app/http/api/routes.ts",
    "scripts/build/bundle-console.ts",
    ...COMMON,
  ],
  () => bundleConsole(join(DIST, "console")),
);

/** Builds unless the stamp holds the hash of these sources. The stamp is written last, so that an interrupted build is done again. */
async function buildIfChanged(
  stamp: string,
  sources: readonly string[],
  build: () => Promise<void>,
): Promise<void> {
  mkdirSync(DIST, { recursive: true });
  const hash = hashOf(sources);
  const file = join(DIST, stamp);
  if (readIfPresent(file) === hash) return;
  rmSync(file, { force: true });
  await build();
  writeFileSync(file, hash);
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
async function writeProgramSchemas(): Promise<void> {
  const { PROGRAMS } = await import("../src/app/libexec/programs.ts");
  const { schemaOf } = await import("../src/app/libexec/pages.ts");
  mkdirSync(join(DIST, "libexec"), { recursive: true });
  for (const [name, program] of Object.entries(PROGRAMS)) {
    writeFileSync(join(DIST, "libexec", `${name}.json`), `${JSON.stringify(schemaOf(program))}\n`);
  }
}
