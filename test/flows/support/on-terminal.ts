import { spawnSync } from "node:child_process";
import { startCli, withoutProc, type CliOptions, type Place, type Running } from "./cli.ts";

/** Runs the words behind it on a pseudo terminal of its own, with this process's standard input typed into it. */
export const ON_A_TERMINAL = [
  "python3",
  "-c",
  "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))",
];

/** Starts the program on a pseudo terminal; what it shows is in `shown.stdout`. */
export function onTerminal(
  place: Place,
  args: readonly string[],
  { environment = {}, ...options }: Pick<CliOptions, "environment" | "node"> = {},
): Running & { readonly type: (keys: string) => void } {
  const variables = { TERM: "xterm", ...environment };
  const running = startCli(place, args, { ...options, under: ON_A_TERMINAL, environment: variables });
  return { ...running, type: (keys) => void running.child.stdin?.write(keys) };
}

const hasPython = spawnSync("python3", ["-c", "import os, pty; os.waitstatus_to_exitcode"]).status === 0;

/** For a test's `skip` option where `onTerminal` is used. */
export const skipTerminal: string | false =
  withoutProc || (hasPython ? false : "needs python3, whose pty module makes pseudo terminals");
