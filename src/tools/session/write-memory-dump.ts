import { builtIn, OWN_STATE } from "../shared/built-in-tool.ts";
import { mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import { ActiveTools, type ToolList } from "../../core/session/active-tools.ts";
import { Reply } from "../../core/content.ts";
import { ConversationKey, type Conversation } from "../../core/agent/conversation.ts";
import { ToolError } from "../../core/errors.ts";
import { object, optional, string } from "../../schema/define/schema.ts";
import { SessionKey } from "../../core/session/session.ts";
import type { Tool } from "../../core/tool.ts";
import { fileFault, systemCode } from "../../system/paths/file-fault.ts";
import { describeActive } from "../about/activate-tools.ts";

const MAX_SAME_NAME = 1000;
/** Characters of a name; even with four bytes each, every file system accepts it. */
const MAX_NAME = 60;

const input = object({
  content: optional(
    string("The text to write; default: the session itself with goals, decisions, tools and messages"),
  ),
  filename: optional(string("The name of the file; a number is added if it exists")),
});

/** Writes a text or the whole session to a new file in the dumps folder. Never overwrites a file, never leaves the folder. */
export function writeMemoryDump(folder: string): Tool {
  return builtIn({
    name: "write_memory_dump",
    description:
      "Writes a snapshot to a new file and returns its path: the given content, or without content the session's goals, " +
      "decisions, active tools and messages as Markdown.",
    input,
    ...OWN_STATE,
    needs: [ConversationKey],
    async run({ content, filename }, context) {
      const at = new Date();
      const conversation = context.get(ConversationKey);
      const session = context.get(SessionKey).id;
      const text = content ?? renderSession({ conversation, session, at, active: context.get(ActiveTools) });
      const path = await writeNew(folder, nameOf(filename, at), text);
      const bytes = Buffer.byteLength(text);
      return new Reply(`Wrote ${bytes} bytes to ${path}`, { data: { path, bytes } });
    },
  });
}

/** Returns a plain file name: no folders, not hidden, no special characters. */
function nameOf(wanted: string | undefined, at: Date): { readonly stem: string; readonly ending: string } {
  const safe = (wanted ?? "")
    .normalize()
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "-")
    .replace(/^[.-]+/, "");
  const [, stem = "", ending = ""] =
    /^(.+?)(\.[\p{L}\p{N}]{1,10})?$/u.exec(Array.from(safe).slice(-MAX_NAME).join("")) ?? [];
  const fallback = `dump-${at.toISOString().slice(0, 19).replaceAll(":", "-")}`;
  return { stem: stem || fallback, ending: ending || ".md" };
}

async function writeNew(folder: string, { stem, ending }: ReturnType<typeof nameOf>, text: string) {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let count = 1; count <= MAX_SAME_NAME; count += 1) {
      const path = join(folder, `${stem}${count === 1 ? "" : `-${count}`}${ending}`);
      if (await writeOnce(path, text)) return path;
    }
  } catch (error) {
    throw fileFault(error, "write a dump to", folder);
  }
  throw new ToolError("TOOL_FAILED", `there are already ${MAX_SAME_NAME} dumps named ${stem}${ending}`, {
    hint: "give another filename",
  });
}

/** Returns false if the name is taken. Removes a file that cannot be written completely. */
async function writeOnce(path: string, text: string): Promise<boolean> {
  const handle = await open(path, "wx", 0o600).catch((error: unknown) => {
    if (systemCode(error) === "EEXIST") return undefined;
    throw error;
  });
  if (handle === undefined) return false;
  try {
    await handle.writeFile(text);
    return true;
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await handle.close();
  }
}

interface SessionState {
  readonly conversation: Conversation;
  readonly active: ToolList;
  readonly session: string;
  readonly at: Date;
}

/** Renders a session as Markdown. Messages are quoted, so that no text in them can look like a heading. */
function renderSession({ conversation, active, session, at }: SessionState): string {
  const messages = conversation
    .messages()
    .flatMap(({ role, text }, index) => [`### ${index + 1}. ${role}`, "", quoted(text), ""]);
  return [
    "# Session dump",
    "",
    `Session ${session}, ${at.toISOString()}`,
    "",
    ...section("Goals", conversation.goals()),
    ...section("Decisions", conversation.decisions()),
    ...section("Active tools", describeActive(active).lines),
    "## Messages",
    "",
    ...(messages.length > 0 ? messages : ["none", ""]),
  ].join("\n");
}

function section(title: string, items: readonly string[]): readonly string[] {
  const lines = items.length > 0 ? items.map((item) => `- ${item.replaceAll("\n", "\n  ")}`) : ["none"];
  return [`## ${title}`, "", ...lines, ""];
}

function quoted(text: string): string {
  return text
    .split("\n")
    .map((line) => `> ${line}`.trimEnd())
    .join("\n");
}
