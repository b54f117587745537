import { statSync } from "node:fs";
import { createRunner } from "./create-runner.ts";
import { findProgram } from "./find-program.ts";
import { limited } from "./limits.ts";
import { refuseCopies, refuseDomains } from "./refuse.ts";
import { protectedPaths, type Box, type BoxedProgram, type BoxKind, type BoxProbe } from "./types.ts";

const PROBE_MS = 5000;
const PROBE_PROFILE = '(version 1)(deny default)(import "system.sb")(allow process*)(allow file-read*)';
const HINT = "sandbox-exec is part of macOS; it cannot be used inside another sandbox";

/**
 * Sandboxes of macOS: the same files as with bubblewrap, but other processes stay visible, and processes that leave their
 * group do not end with the program. Not tried on a Mac yet.
 */
export const seatbelt: BoxKind = {
  probe: probeSeatbelt,
  wrap(program, box, found) {
    refuseDomains(box, "seatbelt");
    refuseCopies(box, "seatbelt");
    const { file, args } = limited(program, box.limits);
    return {
      file: found.program,
      args: ["-p", seatbeltProfile(program, box), file, ...args],
      cwd: program.cwd,
      environment: program.environment,
    };
  },
};

/** Returns the rules of a sandbox: the last rule that matches an operation decides. */
export function seatbeltProfile({ cwd, environment }: BoxedProgram, box: Box): string {
  const { HOME: home } = environment;
  const { workspace, readable, hidden = [], hasNetwork } = box;
  const rules = [
    "(version 1)",
    "(deny default)",
    '(import "system.sb")',
    "(allow process-fork process-exec signal sysctl-read)",
    "(allow file-read*)",
    // Programs list the folders above theirs.
    ...(home === undefined
      ? []
      : [`(deny file-read* ${under(home)})`, `(allow file-read-metadata ${under(home)})`]),
    `(deny file-read* ${under("/private/tmp")} ${under("/private/var/folders")} ${under("/Volumes")})`,
    ...[...readable, cwd].map((path) => `(allow file-read* ${under(path)})`),
    ...workspace.map((path) => `(allow file-read* file-write* ${under(path)})`),
    ...protectedPaths(workspace).map((path) => `(deny file-write* ${under(path)})`),
    ...hidden.map((path) => `(deny file-read* file-write* ${under(path)})`),
    '(allow file-write-data (literal "/dev/null") (literal "/dev/tty"))',
    ...(hasNetwork ? ["(allow network*)"] : ["(deny network*)"]),
    // Unix sockets are files.
    ...workspace.map((path) => `(allow network-bind network-inbound ${under(path)})`),
  ];
  return rules.join("\n");
}

/** Matches a file, or a folder with everything in it. */
function under(path: string): string {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() === true;
  return `(${isFile ? "literal" : "subpath"} ${JSON.stringify(path)})`;
}

async function probeSeatbelt(path: string): Promise<BoxProbe> {
  if (process.platform !== "darwin")
    return {
      works: false,
      reason: `there is no seatbelt on ${process.platform}`,
      hint: "use auto, or bubblewrap",
    };
  const program = findProgram("sandbox-exec", path);
  if (program === undefined) return { works: false, reason: "sandbox-exec was not found", hint: HINT };
  const run = createRunner(program, { PATH: path }, PROBE_MS);
  const { isOk, output } = await run(["-p", PROBE_PROFILE, "/usr/bin/true"]);
  if (isOk) return { works: true, program };
  return { works: false, reason: `sandbox-exec does not work here: ${output}`, hint: HINT };
}
