import { ToolError } from "../../../core/errors.ts";
import type { Skills } from "../../../core/skills.ts";
import { namesOfTool } from "../../../core/tool.ts";

/** Throws for the name of a tool that is added when an agent is opened. */
export async function refuseSessionTool(name: string, skills: Skills): Promise<void> {
  const { agentTools } = await import("../../../tools/agents/family.ts");
  const { sessionTools } = await import("../../../tools/session/family.ts");
  const tools = [...agentTools(), ...sessionTools({ skills, dumpsFolder: "" })];
  if (!tools.some((tool) => namesOfTool(tool).includes(name))) return;
  throw new ToolError("TOOL_NOT_FOUND", `"${name}" exists only in sessions of an agent`, {
    hint: "toolwright run and toolwright chat have it; in the REPL, /tool shows it",
  });
}
