import { ToolError } from "../../core/errors.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { containerKind } from "./container.ts";
import { kernelFoldersIn } from "./kernel-files.ts";
import { seatbelt } from "./seatbelt.ts";
import { srt } from "./srt.ts";
import type { Box, BoxedProgram, BoxKind, BoxProbe } from "./types.ts";

/** Folders of the system in which the program that creates sandboxes is found, whatever PATH a command has. */
const SYSTEM_PATH =
  "/usr/bin:/bin:/usr/local/bin:/usr/sbin:/sbin:/run/wrappers/bin:/run/current-system/sw/bin";

const KINDS = {
  bubblewrap,
  seatbelt,
  srt,
  podman: containerKind("podman"),
  docker: containerKind("docker"),
} as const satisfies Readonly<Record<string, BoxKind>>;

/** The ways to create sandboxes. */
export type BoxName = keyof typeof KINDS;

const probes = new Map<string, Promise<BoxProbe>>();

/** The kind that needs nothing but the system, and that commands and MCP servers use. */
export const OWN_BOX: BoxName = process.platform === "darwin" ? "seatbelt" : "bubblewrap";

/** Every kind of sandbox for whole sessions that this system may have. */
export const BOX_KINDS: readonly BoxName[] = [OWN_BOX, "srt", "podman", "docker"];

/** Returns whether a kind works here; a process tries each PATH once. Rejects, and tries again, if no program can be started now. */
export function probeBox(name: BoxName, path = SYSTEM_PATH, isMounted = true): Promise<BoxProbe> {
  const key = `${name}:${isMounted}:${path}`;
  const kind: BoxKind = KINDS[name];
  const known = probes.get(key) ?? kind.probe(path, isMounted);
  probes.set(key, known);
  known.catch(() => probes.delete(key));
  return known;
}

/** Returns whether sandboxes of commands work here. */
export function probeBoxes(path?: string): Promise<BoxProbe> {
  return probeBox(OWN_BOX, path);
}

/**
 * Returns the same program inside a sandbox. It is killed when this process ends. Rejects with `UNAVAILABLE` if sandboxes do
 * not work; never returns the program without one.
 */
export async function intoBox(program: BoxedProgram, box: Box, name = OWN_BOX): Promise<BoxedProgram> {
  const probe = await probeBox(name, box.path, box.isMounted);
  if (!probe.works)
    throw new ToolError("UNAVAILABLE", `no sandbox is available: ${probe.reason}`, { hint: probe.hint });
  if ([...box.workspace, ...box.readable].includes("/"))
    throw new ToolError("UNAVAILABLE", "no sandbox is available: the workspace is the whole disk", {
      hint: "use a folder as the workspace",
    });
  const [ofKernel] = kernelFoldersIn(box.workspace);
  if (ofKernel !== undefined)
    throw new ToolError(
      "UNAVAILABLE",
      `no sandbox is available: ${ofKernel} has files of the kernel or of devices`,
      {
        hint: "use another folder as the workspace",
      },
    );
  return KINDS[name].wrap(program, box, probe);
}
