import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Kind } from "./drive.ts";
import { BATCH, CHAT, GATEWAY, SERVE } from "./forms.ts";

const SLOW_MS = 300;
const batch =
  (...more: readonly string[]) =>
  (): readonly string[] => ["batch", "--mode", "yolo", "--parallel", "4", ...more];

const isThere = (program: string, ...args: readonly string[]): boolean =>
  spawnSync(program, args, { stdio: "ignore" }).status === 0;

export const FILES: Kind = { name: "batch", form: BATCH, args: batch() };
export const SERVER: Kind = { name: "gateway", form: GATEWAY, args: () => ["mcp", "--mode", "yolo"] };

/** Calls that the workers of a fleet run. */
export const FLEET: Kind = { name: "fleet", form: BATCH, args: batch("--place", "fleet") };
export const hasNats = isThere("nats-server", "--version");

const STRACE = ["strace", "-f", "-o", "/dev/null", "--seccomp-bpf", "-e", "trace=fsync,fdatasync"];

/** Kinds of load that take turns, and what each needs of the machine. */
const OTHERS: readonly (Kind & { readonly needs?: readonly [string, ...string[]] })[] = [
  { name: "code", form: BATCH, args: batch(), more: "code", most: 12 },
  { name: "serve", form: SERVE, args: () => ["serve", "--port", "0", "--mode", "yolo"] },
  {
    name: "chat",
    form: CHAT,
    most: 10,
    args({ home }, calls, prefix) {
      const script = join(home, `${prefix}.jsonl`);
      const turns = calls.flatMap(({ name, input }) => [{ calls: [{ name, input }] }, { text: "Done." }]);
      try {
        writeFileSync(script, turns.map((turn) => `${JSON.stringify(turn)}\n`).join(""));
      } catch {
        // The disk is full: the program says that there is no script.
      }
      return ["chat", "--mode", "yolo", "--model", `scripted/${script}`];
    },
  },
  {
    name: "sandbox",
    form: BATCH,
    args: batch("--sandbox", "bubblewrap"),
    most: 12,
    needs: ["bwrap", "--version"],
  },
  { name: "browser", form: BATCH, args: batch(), more: "browser", most: 6, needs: ["chromium", "--version"] },
  {
    name: "slow disk",
    form: BATCH,
    args: batch(),
    most: 12,
    under: [...STRACE, "-e", `inject=fsync,fdatasync:delay_enter=${SLOW_MS * 1000}`],
    needs: ["strace", "-o", "/dev/null", "true"],
  },
];

/** Those that this machine can run. */
export const KINDS: readonly Kind[] = OTHERS.filter(({ needs }) => needs === undefined || isThere(...needs));
export const MISSING: readonly string[] = [
  ...OTHERS.filter((kind) => !KINDS.includes(kind)).map(({ name }) => name),
  ...(hasNats ? [] : [FLEET.name]),
];
