import type { SessionInfo, Entry } from "../../../agent/sessions/transcript.ts";
import { boolean, integer, list, nullable, number, object, string } from "../../../schema/define/schema.ts";
import { CallRow } from "./call-shapes.ts";
import { at, typed } from "./typed.ts";

export const SessionShape = typed<SessionInfo>(
  "a stored session",
  {
    id: string(),
    title: string(),
    workspace: string(),
    model: string(),
    state: string(),
    turns: integer(),
    createdAt: number(at),
    updatedAt: number(at),
  },
  ["agent"],
);

const EntryShape = typed<Entry>("an entry: message, compaction, instructions, command, state or usage", {
  seq: integer(),
  at: number(at),
  kind: string(),
});

export const SessionDetail = object({
  session: SessionShape,
  entries: list(EntryShape),
  calls: list(CallRow, "its calls, newest first, at most 1000"),
  children: list(SessionShape, "sessions of the agents that it started"),
});

export const AgentNode = object({
  id: string(),
  name: string(),
  parentId: nullable(string()),
  session: string(),
  state: string(
    "idle, waiting_for_model, executing_tools, waiting_for_approval, waiting_for_message, done or failed",
  ),
  task: nullable(string()),
  result: nullable(string()),
  isHere: boolean("it is open in this process"),
  model: nullable(string()),
  turns: integer(),
  createdAt: nullable(number(at)),
  updatedAt: nullable(number(at)),
  figures: nullable(
    object({
      calls: integer(),
      failed: integer("denied ones among them"),
      inputTokens: integer(),
      outputTokens: integer(),
      cost: number("in USD, of models whose price is known"),
    }),
    "without those of the agents that it started; null for an agent beyond the newest 200, and for one whose session cannot be read",
  ),
});

export const ArtifactSlice = object({
  id: string(),
  text: string(),
  start: integer("byte offset"),
  end: integer(),
  size: integer("bytes of the whole"),
  dropped: integer("bytes that were dropped from the middle"),
});

export const ArtifactMatches = object({
  matches: list(object({ line: integer(), start: integer("byte offset of the line"), text: string() })),
});
