// Compiles src/ into dist/, from scratch, so that nothing stale is ever shipped, and adds the grammar that src/ reads.
import { copyFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { linkPrograms } from "./link-programs.ts";
import { runStep } from "./run-step.ts";

rmSync("dist", { recursive: true, force: true });
runStep("build", ["tsc", "-p", "tsconfig.build.json"]);
copyFileSync(
  fileURLToPath(import.meta.resolve("tree-sitter-bash/tree-sitter-bash.wasm")),
  "dist/tree-sitter-bash.wasm",
);
runStep("programs", ["tsc", "-p", "tsconfig.libexec.json"]);
linkPrograms();
