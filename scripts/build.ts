// Builds dist/ from scratch: the bundle, its type declarations, the files that the program reads, and the licences of what is bundled.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROGRAMS } from "../src/app/libexec/programs.ts";
import { schemaOf } from "../src/app/libexec/pages.ts";
import { bundle } from "./build/bundle.ts";
import { pruneDeclarations } from "./build/prune-declarations.ts";
import { thirdPartyNotices } from "./build/third-party-notices.ts";
import { runStep } from "./run-step.ts";

const DIST = "dist";

rmSync(DIST, { recursive: true, force: true });
const startedAt = performance.now();
const inputs = await bundle(DIST);
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
