import type { Tool } from "../../core/tool.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { World } from "./input/command.ts";

/** After this time the wait is announced. */
const QUIET_MS = 1000;

/** Waits until every source is loaded; prints a line on a terminal if that takes a while. */
export async function waitForTools(
  { sources }: Engine,
  { stderr, output }: Pick<World, "stderr" | "output">,
): Promise<void> {
  const note = setTimeout(() => {
    if (stderr.isTTY) output.log("toolwright: waiting for programs to print their schemas…");
  }, QUIET_MS);
  await sources.settled();
  clearTimeout(note);
}

/** Returns the tool of that name; waits for the sources only if it is not known yet. */
export async function findTool(
  engine: Engine,
  name: string,
  world: Pick<World, "stderr" | "output">,
): Promise<Tool | undefined> {
  if (engine.get(name) === undefined) await waitForTools(engine, world);
  return engine.get(name);
}
