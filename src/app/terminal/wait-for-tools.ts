import type { Tool } from "../../core/tool.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { World } from "./input/command.ts";

/** A wait that is longer wants a word to whoever sits there. */
const QUIET_MS = 1000;

/** Waits until every source has been asked for its tools; says so, on a terminal, where that takes a while. */
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

/** The tool of that name; waits for the sources only where it is not there yet. */
export async function findTool(
  engine: Engine,
  name: string,
  world: Pick<World, "stderr" | "output">,
): Promise<Tool | undefined> {
  if (engine.get(name) === undefined) await waitForTools(engine, world);
  return engine.get(name);
}
