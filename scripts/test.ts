// Installs what is missing, builds, then runs every test: beside the sources, in test/, and the examples. Arguments name files instead.
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { runStep } from "./run-step.ts";
import { installSystemPackages } from "./system-packages.ts";

const named = process.argv.slice(2);
const files = named.length > 0 ? named : globSync(["src/**/*.test.ts", "test/**/*.test.ts"]).sort();

installSystemPackages();
await import("./build.ts");
// Node leaves one core free; much of what the tests do is waiting for other processes.
const concurrency = `--test-concurrency=${Math.max(2, availableParallelism())}`;
runStep("tests", [
  process.execPath,
  "--test",
  concurrency,
  "--test-reporter=dot",
  "--test-timeout=120000",
  ...files,
]);
