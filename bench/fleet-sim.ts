// What 10, 100 and 1 000 workers carry, simulated from costs that were measured on real servers; writes docs/fleet-scale.md and its chart.
// npm run fleet:sim [-- --calibrate]
import { readFileSync, writeFileSync } from "node:fs";
import { lastFirst } from "../test/support/servers/nats.ts";
import { calibrate, type Calibration } from "./fleet-sim/calibrate.ts";
import { toPage } from "./fleet-sim/page.ts";

const FILE = "bench/fleet-sim/calibration.json";

if (process.argv.includes("--calibrate")) {
  const closers: (() => unknown)[] = [];
  const t = lastFirst({ after: (close) => void closers.push(close as () => unknown) });
  try {
    writeFileSync(FILE, `${JSON.stringify(await calibrate(t), rounded, 2)}\n`);
  } finally {
    for (const close of closers) await close();
  }
}
const { page, chart } = toPage(JSON.parse(readFileSync(FILE, "utf8")) as Calibration);
writeFileSync("docs/fleet-scale.md", page);
writeFileSync("docs/images/fleet-scale.svg", chart);
process.stdout.write(page);

function rounded(_key: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}
