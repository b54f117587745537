import { existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine } from "toolwright";
import { fileTools } from "toolwright/tools";
import { median, type Row } from "./measure.ts";

const AT_ONCE = 64;
const ROUNDS = 5;
const ROUND_MS = 700;
const TARGET = 1000;
/** The limit relative to the disk, for a disk that is too slow for the absolute target. */
const DISK_TARGET = 1.5;
const LINES = "const value = 1;\n".repeat(60);

/** A folder in memory, to measure without the disk. */
const MEMORY = "/dev/shm";

/** Measures durable edits of small files against write, fsync and rename alone. */
export async function benchEdits(): Promise<readonly Row[]> {
  const onDisk = await benchIn(tmpdir(), "");
  return existsSync(MEMORY) ? [...onDisk, ...(await benchIn(MEMORY, ", without a disk"))] : onDisk;
}

async function benchIn(place: string, where: string): Promise<readonly Row[]> {
  const folder = realpathSync(mkdtempSync(join(place, "toolwright-bench-")));
  const engine = createEngine({ tools: fileTools({ root: folder }), mode: "yolo", workspace: [folder] });
  try {
    const edit = editor(engine, folder);
    const rows: Row[] = [];
    for (const atOnce of [1, AT_ONCE]) {
      // Interleaved, so that the state of the disk affects both.
      const rounds: { ours: number; baseline: number }[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        rounds.push({ baseline: await rate(atOnce, bare(folder)), ours: await rate(atOnce, edit) });
      }
      rows.push(
        row(
          atOnce,
          where,
          median(rounds.map(({ ours }) => ours)),
          median(rounds.map(({ baseline }) => baseline)),
        ),
      );
    }
    return rows;
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true });
  }
}

type Work = (worker: number) => Promise<void>;

function editor(engine: Engine, folder: string): Work {
  const versions = Array.from({ length: AT_ONCE }, () => 0);
  for (const worker of versions.keys()) writeFileSync(join(folder, `file-${worker}`), `${LINES}version 0;\n`);
  return async (worker) => {
    const version = versions[worker] ?? 0;
    const input = {
      path: `file-${worker}`,
      old_string: `version ${version};`,
      new_string: `version ${version + 1};`,
    };
    const result = await engine.run({ id: `${worker}-${version}`, name: "edit_file", input });
    if (!result.ok) throw new Error(result.error.message);
    versions[worker] = version + 1;
  };
}

/** The minimum that leaves the old or the new file after a power failure. */
function bare(folder: string): Work {
  return async (worker) => {
    const temporary = join(folder, `temporary-${worker}`);
    const handle = await open(temporary, "w");
    await handle.writeFile(LINES);
    await handle.sync();
    await handle.close();
    await rename(temporary, join(folder, `bare-${worker}`));
  };
}

/** Returns operations per second. */
async function rate(atOnce: number, work: Work): Promise<number> {
  const startedAt = performance.now();
  let count = 0;
  const workers = Array.from({ length: atOnce }, async (_, worker) => {
    while (performance.now() - startedAt < ROUND_MS) {
      await work(worker);
      count += 1;
    }
  });
  await Promise.all(workers);
  return (count / (performance.now() - startedAt)) * 1000;
}

function row(atOnce: number, where: string, ours: number, baseline: number): Row {
  const hasTarget = atOnce > 1;
  const isDiskBound = baseline < TARGET * DISK_TARGET;
  return {
    what: `edit_file, ${atOnce === 1 ? "one" : atOnce} at a time${where}`,
    figure: `${Math.round(ours)} edits/s`,
    against: `${Math.round(baseline)}/s`,
    ratio: baseline / ours,
    target: hasTarget ? (isDiskBound ? `${TARGET}/s, or ${DISK_TARGET}x of the disk` : `${TARGET}/s`) : "",
    isReached: !hasTarget || ours >= TARGET || (isDiskBound && baseline / ours <= DISK_TARGET),
  };
}
