import { builtIn, ABOUT } from "../shared/built-in-tool.ts";
import { ActiveTools, type ToolList } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import { ConversationKey, type Conversation } from "../../core/agent/conversation.ts";
import { boolean, list, object, optional, string } from "../../schema/define/schema.ts";
import type { LoadedSkill, Skills } from "../../core/skills.ts";
import type { Tool } from "../../core/tool.ts";
import { describeActive } from "../about/activate-tools.ts";
import { loadTrustedSkills } from "../about/load-skill.ts";

const input = object({
  skills: list(string("A skill's name"), "The skills to use from now on", { min: 1, max: 10 }),
  preserve_history: optional(boolean("Keep the conversation so far; false clears it"), true),
});

/** Replaces the skill instructions of the session and activates the tools of the skills. All or nothing. */
export function triggerHotSwap(skills: Skills): Tool {
  return builtIn({
    name: "trigger_hot_swap",
    description:
      "Switches to other skills: their texts replace the instructions of the earlier skills, and the groups and tools that " +
      "they name are activated besides the active ones. Returns the active tools; if a skill cannot be loaded, nothing changes.",
    input,
    ...ABOUT,
    effects: "own-state",
    needs: [ConversationKey],
    attributes: (given) => ({ skills: given.skills.join(" "), preserve_history: given.preserve_history }),
    async run({ skills: names, preserve_history: keepsHistory }, context) {
      const loaded = await loadTrustedSkills(names, skills);
      const active = context.get(ActiveTools);
      await swap(loaded, { active, conversation: context.get(ConversationKey), keepsHistory });
      return describe(loaded, active, keepsHistory);
    },
  });
}

interface Swap {
  readonly active: ToolList;
  readonly conversation: Conversation;
  readonly keepsHistory: boolean;
}

async function swap(loaded: readonly LoadedSkill[], { active, conversation, keepsHistory }: Swap) {
  const groups = [...new Set(loaded.flatMap(({ skill }) => skill.groups))];
  const tools = [...new Set(loaded.flatMap(({ skill }) => skill.tools))];
  const isChosen = groups.length + tools.length > 0;
  const undo = isChosen ? active.choose({ groups, tools }) : undefined;
  try {
    const parts = loaded.map(({ skill, text }) => ({ name: skill.name, text }));
    await conversation.replaceInstructions(parts, { keepsHistory });
  } catch (error) {
    undo?.();
    throw error;
  }
}

function describe(loaded: readonly LoadedSkill[], active: ToolList, keepsHistory: boolean): Reply {
  const names = loaded.map(({ skill }) => skill.name);
  const { lines, data } = describeActive(active);
  const history = keepsHistory ? "kept" : "cleared";
  const head = `[skills: ${names.join(", ")}; history ${history}; active tools:]`;
  return new Reply([head, ...lines].join("\n"), { data: { skills: names, history, ...data } });
}
