// Compiles src/ into dist/, from scratch, so that nothing stale is ever shipped.
import { rmSync } from "node:fs";
import { linkPrograms } from "./link-programs.ts";
import { runStep } from "./run-step.ts";

rmSync("dist", { recursive: true, force: true });
runStep("build", ["tsc", "-p", "tsconfig.build.json"]);
runStep("programs", ["tsc", "-p", "tsconfig.libexec.json"]);
linkPrograms();
