import { withTimeout } from "../../util/async/with-timeout.ts";
import type { World } from "./input/command.ts";
import type { Engine } from "../../engine/types/engine.ts";

/** After this time the wait is announced. */
const QUIET_MS = 1000;
/** A list of tools waits no longer for a source, such as a server that does not answer. */
const LIST_MS = 10_000;
/** A list of problems waits until such a server is one: it has 30 s to answer. */
const PROBLEMS_MS = 35_000;

/**
 * Waits until the sources are loaded, and prints which are not after ten seconds, or a little over half a minute if their problems are
 * wanted; prints a line on a terminal if that takes a while.
 */
export async function waitForTools(engine: Engine, world: World, wantsProblems = false): Promise<void> {
  await announced(
    withTimeout(engine.sources.settled(), wantsProblems ? PROBLEMS_MS : LIST_MS, () => undefined),
    world,
  );
  const open = engine.sources.loading();
  if (open.length > 0) world.output.warn(`still loading: ${open.join(", ")}`);
}

/** Says at a terminal what is waited for, if it takes long. */
export async function announced(wait: Promise<void>, { stderr, output }: World): Promise<void> {
  const note = setTimeout(() => {
    if (stderr.isTTY) output.log("toolwright: waiting for programs to print their schemas…");
  }, QUIET_MS);
  await wait;
  clearTimeout(note);
}
