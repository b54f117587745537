// Runs mixed calls in several programs, kills programs and what they started, fills the disk, and checks that nothing is lost, half done
// or left behind. Options: --minutes N (60), --seed N (random). Exits with 1 if something is violated.
import { parseArgs } from "node:util";
import { setTimeout as wait } from "node:timers/promises";
import type { SoakCall } from "./soak/calls.ts";
import { check } from "./soak/check.ts";
import { countsOf, runProgram, type Counts, type Kind, type Soak } from "./soak/drive.ts";
import { startFleet } from "./soak/fleet.ts";
import { FILES, FLEET, hasNats, KINDS, MISSING, SERVER } from "./soak/kinds.ts";
import { createRandom, type Random } from "./soak/random.ts";
import { createWorld } from "./soak/world.ts";
import { lastFirst, startNats } from "../test/support/servers/nats.ts";

/** A round has a new store, and ends with a check. */
const ROUND_MS = 12_000;
const FULL_MS = 400;
/** After this time an answer that the full disk refused has been tried again. */
const RETRIED_MS = 4000;

const { values } = parseArgs({ options: { minutes: { type: "string" }, seed: { type: "string" } } });
const minutes = Number(values.minutes ?? 60);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 32));
const startedAt = Date.now();
let endsAt = startedAt + minutes * 60_000;
// Ends after this round, and prints the counts.
process.once("SIGTERM", () => void (endsAt = 0));
const violations: string[] = [];
const counts = new Map<string, Counts>();
let rounds = 0;

/** What runs at the same time: files and commands twice, and one of the others, or the calls of a fleet. */
const lanes = (hasFleet: boolean): readonly ((random: Random) => Kind)[] => [
  () => FILES,
  () => SERVER,
  (random) => (hasFleet ? FLEET : random.pick([FILES, ...KINDS])),
];
/** One round in so many has a fleet. */
const FLEET_EVERY = 3;

const closers: (() => unknown)[] = [];
const nats = hasNats
  ? await startNats(lastFirst({ after: (close) => void closers.push(close as () => unknown) }))
  : undefined;

console.log(`soak: ${minutes} minutes, seed ${seed}`);
try {
  while (Date.now() < endsAt) {
    rounds += 1;
    await round(seed + rounds - 1);
  }
} finally {
  for (const close of closers) await close();
}
const sum = (part: keyof Counts): number => [...counts.values()].reduce((total, one) => total + one[part], 0);
for (const [name, one] of [...counts].toSorted(([left], [right]) => (left < right ? -1 : 1)))
  console.log(
    `${name.padEnd(10)} ${one.programs} programs, ${one.calls} calls, ${one.answers} answers, ${one.timeouts} timed out, ${one.kills} kills, ${one.violations} violations`,
  );
console.log(
  `soak: ${Math.round((Date.now() - startedAt) / 60_000)} minutes, ${rounds} rounds, ${sum("calls")} calls, ${sum("answers")} answers, ${sum("timeouts")} timed out, ${sum("kills")} kills, ${violations.length} violations`,
);
process.exitCode = violations.length === 0 ? 0 : 1;

async function round(roundSeed: number): Promise<void> {
  const world = createWorld();
  const made: SoakCall[] = [];
  const soak: Soak = {
    world,
    random: createRandom(roundSeed),
    calls: made,
    counts,
    fullUntil: 0,
    violate(what, kind = "check") {
      countsOf({ counts }, kind).violations += 1;
      violations.push(what);
      console.log(`VIOLATION ${what}\n  to reproduce: npm run soak -- --minutes 1 --seed ${roundSeed}`);
    },
  };
  if (rounds === 1) console.log(`soak: a full disk is ${world.fullBy}`);
  if (rounds === 1 && MISSING.length > 0) console.log(`soak: cannot run here: ${MISSING.join(", ")}`);
  try {
    const server = roundSeed % FLEET_EVERY === 0 ? nats : undefined;
    const fleet = server && (await startFleet(soak, server, `round-${roundSeed}`));
    const until = Date.now() + ROUND_MS;
    const loads = lanes(fleet !== undefined).map(async (choose, lane) => {
      for (let count = 0; Date.now() < until; count += 1) {
        const kind = choose(soak.random);
        await runProgram(soak, kind, `${kind.name.replace(" ", "-")}-${lane}-${count}`);
      }
    });
    await Promise.all([...loads, fillSometimes(soak, until), fleet?.killSometimes(until)]);
    await fleet?.close();
    await check(soak);
  } finally {
    for (const pid of world.running()) process.kill(pid, "SIGKILL");
    world.remove();
  }
}

async function fillSometimes(soak: Soak, until: number): Promise<void> {
  while (Date.now() < until) {
    await wait(soak.random.between(2000, 8000));
    soak.fullUntil = Number.POSITIVE_INFINITY;
    const free = soak.world.fill();
    await wait(FULL_MS);
    free();
    soak.fullUntil = Date.now() + RETRIED_MS;
  }
}
