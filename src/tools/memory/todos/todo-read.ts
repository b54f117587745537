import { defineTool } from "../../../schema/define/define-tool.ts";
import { object } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { OWN_STATE } from "../shared/kinds.ts";
import type { MemoryOptions } from "../shared/options.ts";
import { describeTodos, sessionTodos } from "./todos.ts";

/** Shows the session's to-do list. */
export function todoRead(options: MemoryOptions): Tool {
  return defineTool({
    name: "todo_read",
    description:
      "Shows the to-do list of this session: [ ] is pending, [>] in progress, [x] completed, [-] cancelled.",
    input: object({}),
    ...OWN_STATE,
    run: async (_, context) => describeTodos(await sessionTodos(context, options).read()),
  });
}
