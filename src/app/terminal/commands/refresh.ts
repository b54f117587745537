import { ToolError } from "../../../core/errors.ts";
import type { RefreshOutcome } from "../../../engine/types/registry.ts";
import type { SlashCommand } from "./slash-command.ts";

export const refreshCommand: SlashCommand = {
  name: "refresh",
  summary: "reload the tools from all sources",
  usage: "",
  async run(_args, world) {
    const { engine, session } = world;
    await world.print("Refreshing tools…\n");
    const { failures } = await engine.sources.refresh();
    if (failures.length > 0) throw failed(failures);
    const count = engine.list(session === undefined ? {} : { session }).length;
    const problems = engine.sources.problems().length;
    await world.print(`Tools refreshed. ${count} tools available.\n`);
    if (problems > 0) await world.print(`Problems: ${problems}, see toolwright tools --problems\n`);
  },
};

function failed(failures: RefreshOutcome["failures"]): ToolError {
  const [first, ...more] = failures;
  const others = more.length === 0 ? "" : `, and ${more.length} more`;
  const reason = first === undefined ? "" : `${first.source}: ${first.error.message}${others}`;
  return new ToolError("UNAVAILABLE", `the tools could not be refreshed: ${reason}`, {
    hint: first?.error.hint ?? "the tools loaded before stay available",
  });
}
