import type { Rule } from "../../../core/rule.ts";
import { NO_SKILLS } from "../../../core/skills.ts";
import { agentTools } from "../../../tools/agents/family.ts";
import { browserTools } from "../../../tools/browser/family.ts";
import { builtInTools } from "../../../tools/built-in.ts";
import { sessionTools } from "../../../tools/session/family.ts";
import { nearHint } from "../../../util/text/near-hint.ts";

/** Returns the names of all tools of Toolwright itself, those of agents too. */
export function ownToolNames(): ReadonlySet<string> {
  const options = { root: "/", environment: {} };
  const ofAgents = [...agentTools(), ...sessionTools({ skills: NO_SKILLS, dumpsFolder: "" })];
  const tools = [...builtInTools(options), ...browserTools(options), ...ofAgents];
  return new Set(tools.map(({ name }) => name));
}

/** Notes the names in a rule that no built-in tool has. Not a problem: a program or server may provide them. */
export function unknownTools({ tool = [] }: Rule, names: ReadonlySet<string>): readonly string[] {
  const given = typeof tool === "string" ? [tool] : tool;
  return given
    .filter((name) => !/[*]|__/.test(name) && !names.has(name))
    .map((name) => {
      const hint = nearHint(name, names, "the rule is for a tool of a program, an extension or a server");
      return `"${name}" is not a built-in tool; ${hint}`;
    });
}
