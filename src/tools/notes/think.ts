import { defineTool } from "../../core/define-tool.ts";
import { object, string } from "../../core/schema.ts";
import type { Tool } from "../../core/tool.ts";

/** A place to think: changes nothing and answers next to nothing; the thought is in the record of the call. */
export function think(): Tool {
  return defineTool({
    name: "think",
    aliases: ["thinking"],
    description:
      "Notes a thought, to work something out before acting. It reads nothing, changes nothing and finds nothing out.",
    input: object({ thought: string("The thought", { min: 1 }) }),
    risk: "low",
    place: "host",
    source: "built-in",
    group: "memory",
    effects: "own-state",
    run: () => "Noted.",
  });
}
