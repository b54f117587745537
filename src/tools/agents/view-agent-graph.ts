import { defined } from "../../util/json/defined.ts";
import { shortened } from "../../util/text/shortened.ts";
import { builtIn, AGENTS } from "../shared/built-in-tool.ts";
import { Reply } from "../../core/content.ts";
import { CurrentAgent } from "../../core/context.ts";
import { object } from "../../schema/define/schema.ts";
import { TeamKey, type TeamMember } from "../../core/agent/team.ts";
import type { Tool } from "../../core/tool.ts";

/** The mark at the end of a longer task included. */
const MAX_TASK_CHARACTERS = 101;

/** Shows all agents of the team as a tree. */
export function viewAgentGraph(): Tool {
  return builtIn({
    name: "view_agent_graph",
    description: "Shows the agents of the team as a tree, with the state and task of each.",
    input: object({}),
    ...AGENTS,
    effects: "none",
    limits: { shape: "list" },
    needs: [TeamKey, CurrentAgent],
    run(_, context) {
      const members = context.get(TeamKey).members();
      const { id } = context.get(CurrentAgent);
      const items = asTree(members).map(({ member, depth }) => {
        return `${"  ".repeat(depth)}- ${describe(member)}${member.id === id ? " (you)" : ""}`;
      });
      return new Reply(items.join("\n"), { items, data: { you: id, agents: members.map(toData) } });
    },
  });
}

interface Branch {
  readonly member: TeamMember;
  readonly depth: number;
}

/** Returns each member before its children. */
function asTree(members: readonly TeamMember[]): readonly Branch[] {
  const ids = new Set(members.map(({ id }) => id));
  // A member whose parent is forgotten is a root.
  const children = Map.groupBy(members, ({ parentId }) =>
    parentId !== undefined && ids.has(parentId) ? parentId : undefined,
  );
  const below = (parentId: string | undefined, depth: number): readonly Branch[] =>
    (children.get(parentId) ?? []).flatMap((member) => [{ member, depth }, ...below(member.id, depth + 1)]);
  return below(undefined, 0);
}

function describe({ id, name, state, task }: TeamMember): string {
  const short = shortened(task.replaceAll(/\s+/g, " ").trim(), MAX_TASK_CHARACTERS);
  return `${name} (${id}): ${state}${short === "" ? "" : `; ${short}`}`;
}

function toData({ id, name, parentId, task, state, result }: TeamMember) {
  return { agent_id: id, name, parent_id: parentId ?? null, task, state, ...defined({ result }) };
}
