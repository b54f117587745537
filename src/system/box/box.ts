import { ToolError } from "../../core/errors.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { seatbelt } from "./seatbelt.ts";
import type { Box, BoxedProgram, BoxKind, BoxProbe } from "./types.ts";

/** Folders of the system in which the program that creates sandboxes is found, whatever PATH a command has. */
const SYSTEM_PATH =
  "/usr/bin:/bin:/usr/local/bin:/usr/sbin:/sbin:/run/wrappers/bin:/run/current-system/sw/bin";

const probes = new Map<string, Promise<BoxProbe>>();

/** Returns whether sandboxes work here; a process tries each PATH once. Rejects, and tries again, if no program can be started now. */
export function probeBoxes(path = SYSTEM_PATH): Promise<BoxProbe> {
  const known = probes.get(path) ?? kindOf(process.platform).probe(path);
  probes.set(path, known);
  known.catch(() => probes.delete(path));
  return known;
}

/**
 * Returns the same program inside a sandbox. It is killed when this process ends. Rejects with `UNAVAILABLE` if sandboxes do
 * not work; never returns the program without one.
 */
export async function intoBox(program: BoxedProgram, box: Box): Promise<BoxedProgram> {
  const probe = await probeBoxes(box.path);
  if (!probe.works)
    throw new ToolError("UNAVAILABLE", `no sandbox is available: ${probe.reason}`, { hint: probe.hint });
  if ([...box.workspace, ...box.readable].includes("/"))
    throw new ToolError("UNAVAILABLE", "no sandbox is available: the workspace is the whole disk", {
      hint: "use a folder as the workspace",
    });
  return kindOf(process.platform).wrap(program, box, probe.program);
}

function kindOf(platform: NodeJS.Platform): BoxKind {
  return platform === "darwin" ? seatbelt : bubblewrap;
}
