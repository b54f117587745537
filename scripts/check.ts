// Everything that must hold besides the tests. Each step prints ok or FAIL; the first failure ends the run.
import { runStep } from "./run-step.ts";

const node = process.execPath;

runStep("format", ["oxfmt", "--check"]);
runStep("lint", ["oxlint", "--deny-warnings"]);
// Several checkers repeat some of each other's work, and the tests use the other cores meanwhile.
runStep("types", ["tsc", "-p", "tsconfig.json", "--checkers", "1"]);
runStep("types of the console", ["tsc", "-p", "web/tsconfig.json"]);
runStep("language", [node, "scripts/check-language.ts"]);
runStep("layers", [node, "scripts/check-layers.ts"]);
runStep("unused", ["knip"]);
runStep("public API", [node, "scripts/api.ts"]);
runStep("docs", [node, "scripts/check-docs.ts"]);
runStep("speed of a call", [node, "bench/guard.ts"]);
runStep("package", [node, "scripts/check-package.ts"]);
