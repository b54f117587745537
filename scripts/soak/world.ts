import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("../../bin/toolwright.js", import.meta.url));
const SERVER = fileURLToPath(new URL("server.ts", import.meta.url));
const DISK_MB = 96;
/** The variable that every process of the soak has. */
const MARK = "TOOLWRIGHT_SOAK";
export const PAIRS = 4;

/** A workspace, a home and a store on a small disk of their own, if this user may mount one. */
export interface World {
  readonly root: string;
  readonly home: string;
  /** The store of workers. */
  readonly workerStore: string;
  /** How a full disk is caused. */
  readonly fullBy: "a tmpfs that is filled" | "a limit of file sizes";
  /** Adds to the config of the programs that are started from now on. */
  configure(more: object): void;
  /** Starts a program; what it prints to standard error is dropped unless a pipe is wanted. */
  start(args: readonly string[], options?: StartOptions): ChildProcess;
  /** Fills the disk, and frees it again. */
  fill(): () => void;
  /** Returns the pids of the processes that have the mark of this world. */
  running(): readonly number[];
  remove(): void;
}

interface StartOptions {
  readonly stderr?: "pipe" | "ignore" | undefined;
  /** A program, with its arguments, that runs the program. */
  readonly under?: readonly string[] | undefined;
}

export function createWorld(): World {
  const base = realpathSync(mkdtempSync(join(tmpdir(), "soak-")));
  const isMounted = process.getuid?.() === 0 && canMount(base);
  const [root, home, temporary] = ["work", "home", "tmp"].map((name) => join(base, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [root, home, temporary, join(root, "pairs"), join(root, "files")]) mkdirSync(folder);
  writeFileSync(join(root, "shared"), "END\n");
  for (let pair = 0; pair < PAIRS; pair += 1)
    for (const side of ["a", "b"]) writeFileSync(join(root, "pairs", `${pair}-${side}`), "version 0\n");
  const server = { command: process.execPath, args: [SERVER] };
  const config = { environment: [MARK], mcpServers: { soak: server } };
  const configure = (more: object): void =>
    writeFileSync(join(home, "config.json"), JSON.stringify({ ...config, ...more }));
  configure({});
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    TMPDIR: temporary,
    TOOLWRIGHT_HOME: home,
    [MARK]: base,
  };
  return {
    root,
    home,
    workerStore: join(home, "workers"),
    configure,
    fullBy: isMounted ? "a tmpfs that is filled" : "a limit of file sizes",
    start: (args, { stderr = "ignore", under = [] } = {}) => {
      const command = [...under, process.execPath, PROGRAM, ...args];
      // A user who may not mount gets a limit of file sizes in some processes instead.
      const isLimited = !isMounted && Math.random() < 0.2;
      const limited = ["bash", "-c", `trap '' XFSZ; ulimit -f 64; exec "$@"`, "bash", ...command];
      const [file = "", ...rest] = isLimited ? limited : command;
      return spawn(file, rest, {
        cwd: root,
        env,
        stdio: ["pipe", "pipe", stderr],
      });
    },
    fill: () => (isMounted ? fillDisk(join(base, "fill")) : () => undefined),
    running: () => findMarked(`${MARK}=${base}`),
    remove() {
      if (isMounted) execFileSync("umount", ["-l", base]);
      rmSync(base, { recursive: true, force: true });
    },
  };
}

function canMount(folder: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", folder], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function fillDisk(path: string): () => void {
  const file = openSync(path, "w");
  for (const bytes of [1024 * 1024, 4096]) {
    try {
      for (const block = Buffer.alloc(bytes); ;) writeSync(file, block);
    } catch {
      // The disk is full.
    }
  }
  closeSync(file);
  return () => rmSync(path, { force: true });
}

function findMarked(mark: string): readonly number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => pid > 0 && environmentOf(pid).includes(`${mark}\0`));
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}
