import type { World } from "./command.ts";
import { openTools } from "./open-tools.ts";

/** A short way in for a person: what this is, where it stands, and three commands that work here and now. */
export async function guide({ output }: World): Promise<number> {
  const { engine, config } = await openTools({}, output);
  const [workspace] = config.workspace;
  const count = engine.list().length;
  await output.print(
    `toolwright runs tools for AI agents: every call is checked, judged, run under a deadline and answered once.

Workspace  ${workspace}
Mode       ${config.mode}
Tools      ${count} active

Try:
  toolwright tools                            what there is
  toolwright call ls                          run a tool
  toolwright explain shell command='rm x'     what policy would say, without running it

toolwright --help shows every command.
`,
  );
  return 0;
}
