import { execFile, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const GUARD = fileURLToPath(new URL("../guard.ts", import.meta.url));
const PLANTED_RUNS = 10;
const BUSY_RUNS = 20;
const BUSY_PROCESSES = 2;
/** Uses the processor, its caches and the memory. */
const BUSY_PROGRAM = `const list = Array.from({ length: 20_000 }, (_, index) => ({ index, name: "name " + index }));
process.stdin.on("end", () => process.exit()).resume();
setInterval(() => JSON.parse(JSON.stringify(list)), 0);`;

/**
 * Prints how many runs of the guard find a fifth more work in each loop, and how many fail beside busy processes. Exits with 1 unless all
 * find it and none fails.
 */
export async function prove(names: readonly string[]): Promise<void> {
  const outputs = await runs(PLANTED_RUNS, ["--plant", "all"]);
  let isProven = true;
  for (const name of names) {
    const hits = outputs.filter((output) => output.includes(`FAIL ${name}: `)).length;
    console.log(`${name}: a planted slowdown is found in ${hits} of ${PLANTED_RUNS} runs`);
    isProven &&= hits === PLANTED_RUNS;
  }
  const busy = Array.from({ length: BUSY_PROCESSES }, () =>
    spawn(process.execPath, ["-e", BUSY_PROGRAM], { stdio: ["pipe", "ignore", "inherit"] }),
  );
  const failures = (await runs(BUSY_RUNS, [])).filter((output) => output.includes("FAIL"));
  for (const child of busy) child.kill();
  for (const output of failures) console.log(output);
  console.log(`beside ${BUSY_PROCESSES} busy processes, ${failures.length} of ${BUSY_RUNS} runs fail`);
  if (!isProven || failures.length > 0) process.exit(1);
}

async function runs(count: number, args: readonly string[]): Promise<readonly string[]> {
  const outputs: string[] = [];
  for (let run = 0; run < count; run += 1) outputs.push(await outputOf(args));
  return outputs;
}

/** Returns what the guard prints, whether it fails or not. */
function outputOf(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(process.execPath, [GUARD, ...args], (_error, stdout) => resolve(stdout));
  });
}
