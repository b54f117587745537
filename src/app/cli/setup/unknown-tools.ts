import type { ToolSettings } from "../../config/groups.ts";
import type { Rule } from "../../../core/rule.ts";
import { NO_SKILLS } from "../../../core/skills.ts";
import { agentTools } from "../../../tools/agents/family.ts";
import { browserTools } from "../../../tools/browser/family.ts";
import { builtInTools } from "../../../tools/built-in.ts";
import { sessionTools } from "../../../tools/session/family.ts";
import { nearHint } from "../../../util/text/near-hint.ts";

/** Returns the names of all tools of Toolwright itself, those of agents too, and of those in the config. */
export function knownToolNames({
  commands,
  external,
}: Pick<ToolSettings, "commands" | "external">): ReadonlySet<string> {
  const options = { root: "/", environment: {} };
  const ofAgents = [...agentTools(), ...sessionTools({ skills: NO_SKILLS, dumpsFolder: "" })];
  const tools = [...builtInTools(options), ...browserTools(options), ...ofAgents];
  const names = tools.map(({ name }) => name);
  return new Set([...names, ...Object.keys(commands), ...Object.keys(external)]);
}

/** Notes the names in a rule that no known tool has. Not a problem: a program or server may provide them. */
export function unknownTools({ tool = [] }: Rule, names: ReadonlySet<string>): readonly string[] {
  const tools = typeof tool === "string" ? [tool] : tool;
  return tools
    .filter((name) => !/[*]|__/.test(name) && !names.has(name))
    .map((name) => {
      const near = nearHint(name, names, "");
      const guess = near === "" ? "" : ` ${near} If not,`;
      return `"${name}" is not a built-in tool;${guess} the rule is for a tool of a program, an extension or a server`;
    });
}
