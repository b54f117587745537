// Builds dist/ from scratch: the bundle, its type declarations, the files that the program reads, and the licences of what is bundled.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { PROGRAMS } from "../src/app/libexec/programs.ts";
import { schemaOf } from "../src/app/libexec/pages.ts";
import { bundle } from "./build/bundle.ts";
import { pruneDeclarations } from "./build/prune-declarations.ts";
import { thirdPartyNotices } from "./build/third-party-notices.ts";
import { runStep } from "./run-step.ts";

const DIST = "dist";
/** WebAssembly files of bundled packages; `src/system/package-files.ts` finds them. */
const WASM = ["web-tree-sitter/web-tree-sitter.wasm", "tree-sitter-bash/tree-sitter-bash.wasm"];

rmSync(DIST, { recursive: true, force: true });
const startedAt = performance.now();
const inputs = await bundle(DIST);
for (const file of WASM) {
  copyFileSync(fileURLToPath(import.meta.resolve(file)), join(DIST, basename(file)));
}
writeProgramSchemas();
writeFileSync(join(DIST, "THIRD-PARTY-NOTICES.txt"), thirdPartyNotices(inputs));
console.log(`ok   bundle (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
runStep("types", ["tsc", "-p", "tsconfig.build.json"]);
pruneDeclarations(DIST);

/** Writes what each program of libexec/ prints for `--schema`, so that a scan for tools starts no Node. */
function writeProgramSchemas(): void {
  mkdirSync(join(DIST, "libexec"), { recursive: true });
  for (const [name, program] of Object.entries(PROGRAMS)) {
    writeFileSync(join(DIST, "libexec", `${name}.json`), `${JSON.stringify(schemaOf(program))}\n`);
  }
}
