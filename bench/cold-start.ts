import { spawnSync } from "node:child_process";
import {
  accessSync,
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import type { Row } from "./measure.ts";

const ROUNDS = 20;
/** Runs that fill the code cache, before those that count. */
const WARM_UP = 3;
/** The user whom every Linux has beside root: of a package that root installed, another one. */
const NOBODY = 65_534;

interface Start {
  /** After the program. */
  readonly args: readonly string[];
  /** The CPU time over bare Node, as a multiple of bare Node. */
  readonly limit: number;
}

const STARTS: Readonly<Record<string, Start>> = {
  "--version": { args: ["--version"], limit: 0.5 },
  "--help": { args: ["--help"], limit: 0.8 },
  "call think": { args: ["call", "think", '{"thought":"x"}'], limit: 2.2 },
  "call ls": { args: ["call", "ls", "path=."], limit: 2.8 },
  "call shell": { args: ["call", "shell", "command=true", "--mode", "yolo"], limit: 3.2 },
};

/** A package that is measured, by one user. */
interface Side {
  readonly what: string;
  readonly package: string;
  readonly uid?: number | undefined;
  /** Each has a store and a cache of its own. */
  readonly home: string;
}

/**
 * Measures the CPU time of a process of the program over bare Node: the least of many rounds, in turn, because a busy machine only adds to it. Compares it with the release
 * that is installed (`toolwright` in PATH, or the folder in TOOLWRIGHT_RELEASE), and runs as another user if this one is root.
 */
export function benchColdStart(): readonly Row[] {
  const root = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  // Another user goes through it.
  chmodSync(root, 0o755);
  try {
    const own: Side = { what: "", package: resolve("."), home: join(root, "own") };
    const release = findRelease();
    const sides: readonly Side[] = [
      own,
      ...(release === undefined ? [] : [{ what: "release", package: release, home: join(root, "release") }]),
      ...(process.getuid?.() === 0
        ? [{ ...own, what: "another user", uid: NOBODY, home: join(root, "user") }]
        : []),
    ];
    const reachable = sides.filter(canRun);
    return [importRow(own), ...measureSides(own, reachable)];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Makes the home of a side. Returns false if its user cannot reach the package. */
function canRun({ what, package: folder, uid, home }: Side): boolean {
  mkdirSync(join(home, "work"), { recursive: true, mode: 0o755 });
  if (uid === undefined) return true;
  for (const one of [home, join(home, "work")]) chownSync(one, uid, uid);
  const { status } = spawnSync(
    process.execPath,
    ["-e", `require(${JSON.stringify(join(folder, "package.json"))})`],
    { uid },
  );
  if (status !== 0) console.error(`${what}: cannot read ${folder}; this row is not measured`);
  return status === 0;
}

function measureSides(own: Side, sides: readonly Side[]): readonly Row[] {
  const rows: Row[] = [];
  for (const [name, { args, limit }] of Object.entries(STARTS)) {
    const [bare = Number.NaN, ...others] = leastOf([
      () => cpuMs(["-e", ""], own),
      ...sides.map((side) => () => cpuMs([join(side.package, "bin/toolwright.js"), ...args], side)),
    ]);
    const over = others.map((ms) => ms - bare);
    const [current = Number.NaN] = over;
    for (const [index, { what }] of sides.entries()) {
      const ms = over[index] ?? Number.NaN;
      const isRelease = what === "release";
      const [floor, ratio, most] = isRelease ? [ms, current / ms, 1] : [bare, ms / bare, limit];
      rows.push({
        what: `toolwright ${name}, CPU time over bare Node${isRelease ? ", against the release" : what && `, as ${what}`}`,
        figure: `+${(isRelease ? current : ms).toFixed(1)} ms`,
        against: `${isRelease ? "+" : ""}${floor.toFixed(1)} ms`,
        ratio,
        target: `${most}x`,
        isReached: ratio <= most,
      });
    }
  }
  return rows;
}

/** The limit of the library: what importing it costs a program. */
function importRow(side: Side): Row {
  const most = 25;
  const [bare = Number.NaN, loaded = Number.NaN] = leastOf([
    () => cpuMs(["--input-type=module", "-e", ""], side),
    () => cpuMs(["--input-type=module", "-e", 'import "toolwright"'], side, side.package),
  ]);
  return {
    what: 'import "toolwright", CPU time over bare Node',
    figure: `+${(loaded - bare).toFixed(1)} ms`,
    against: `${bare.toFixed(1)} ms`,
    ratio: (loaded - bare) / bare,
    target: `+${most} ms`,
    isReached: loaded - bare <= most,
  };
}

/** Returns the least time of each command, run in turn. */
function leastOf(commands: readonly (() => number)[]): readonly number[] {
  for (const run of commands) for (let time = 0; time < WARM_UP; time += 1) run();
  const rounds = Array.from({ length: ROUNDS }, () => commands.map((run) => run()));
  return commands.map((_, index) => Math.min(...rounds.map((times) => times[index] ?? Number.NaN)));
}

/** The shell reads what the system counted for the process, in thousandths of a second; Node itself reads only ticks of 10 ms. */
const TIMED = `TIMEFORMAT='%3U %3S'; time "$@" >/dev/null 2>"$ERRORS"`;

/** Runs Node and returns the CPU time of the process and its children. Throws if the process fails. */
function cpuMs(args: readonly string[], { home = "", uid }: Partial<Side> = {}, cwd = home): number {
  const errors = join(home, "errors");
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TOOLWRIGHT_HOME: join(home, ".toolwright"),
    ERRORS: errors,
  };
  const { status, stderr } = spawnSync("bash", ["-c", TIMED, "bash", process.execPath, ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
    ...(uid !== undefined && { uid, gid: uid }),
  });
  if (status !== 0) throw new Error(`${args.join(" ")}: ${readFileSync(errors, "utf8")}`);
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(" ").map(Number);
  return (user + system) * 1000;
}

/** Returns the folder of another package of this program, if there is one. */
function findRelease(): string | undefined {
  const named = process.env["TOOLWRIGHT_RELEASE"];
  if (named !== undefined) return resolve(named);
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const program = join(folder, "toolwright");
    try {
      accessSync(program);
    } catch {
      continue;
    }
    const folderOfProgram = dirname(dirname(realpathSync(program)));
    if (folderOfProgram !== realpathSync(".")) return folderOfProgram;
  }
  return undefined;
}
