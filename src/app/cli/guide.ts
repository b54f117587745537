import type { World } from "./command.ts";
import { openTools } from "./open-tools.ts";
import { waitForTools } from "./wait-for-tools.ts";

/** A short way in for a person: what this is, where it stands, and three commands that work here and now. */
export async function guide(world: World): Promise<number> {
  const { output, program } = world;
  const { engine, config } = await openTools({}, output, { startsMcpLate: true });
  await waitForTools(engine, world);
  const [workspace] = config.workspace;
  const count = engine.list().length;
  await output.print(
    `toolwright runs tools for AI agents: every call is checked, judged, run under a deadline and answered once.

Workspace  ${workspace}
Mode       ${config.mode}
Tools      ${count} active

Try:
  ${program} tools                            what there is
  ${program} call ls                          run a tool
  ${program} explain shell command='rm x'     what policy would say, without running it

${program} --help shows every command.
`,
  );
  return 0;
}
