import {
  boolean,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  type Schema,
} from "../../schema/define/schema.ts";
import type * as activateTools from "../about/activate-tools.ts";
import type * as loadSkill from "../about/load-skill.ts";
import type * as readArtifact from "../about/read-artifact.ts";
import type * as searchTools from "../about/search-tools.ts";
import type * as createCheckpoint from "../memory/goals/create-checkpoint.ts";
import type * as goalTools from "../memory/goals/goal-tools.ts";
import type * as readReasoning from "../memory/goals/read-reasoning.ts";
import type * as recordDecision from "../memory/goals/record-decision.ts";
import type * as editNotes from "../memory/notes/edit-notes.ts";
import type * as listNotes from "../memory/notes/list-notes.ts";
import type * as memory from "../memory/notes/memory.ts";
import type * as todoWrite from "../memory/todos/todo-write.ts";
import type * as writeTodos from "../memory/todos/write-todos.ts";
import type * as finding from "../reports/finding.ts";
import type * as finishScan from "../reports/finish-scan.ts";
import { named, namedAs, nullable, rows } from "./named.ts";

type NoInput = Schema<Readonly<Record<string, never>>>;

const texts = list(string());
const todos = object({
  todos: rows({
    id: integer(),
    content: string(),
    status: oneOf(["pending", "in_progress", "completed", "cancelled"]),
    priority: string(),
  }),
});
const stored = object({ key: string(), value: string(), category: string(), at: integer() });
const remembered = object({ key: string(), created: boolean() });
const note = object({
  id: string(),
  title: string(),
  content: string(),
  category: string(),
  tags: texts,
  createdAt: integer(),
  updatedAt: integer(),
});
const reportFiles = { markdown: string(), json: string() };

/** The tools for the agent's own state, for reports and about tools. */
export const NOTES = {
  memory: namedAs<typeof memory.input>()(
    "memory",
    oneOf([remembered, stored, object({ memories: list(stored) }), object({ key: string() })]),
  ),
  remember: namedAs<typeof memory.rememberInput>()("remember", remembered),
  readReasoning: named<typeof readReasoning.input>()("read_reasoning", {
    reasoning: rows({
      turn: nullable(integer()),
      text: string(),
      goalId: nullable(string()),
      traceId: nullable(string()),
      at: integer(),
      archived: boolean(),
    }),
    older: integer(),
    archived: integer(),
  }),
  createGoal: named<typeof goalTools.createInput>()("create_goal", {
    goal_id: string(),
    status: oneOf(["active", "paused"]),
  }),
  switchGoal: named<typeof goalTools.switchInput>()("switch_goal", {
    active: nullable(string()),
    paused: texts,
  }),
  completeGoal: named<typeof goalTools.completeInput>()("complete_goal", {
    goal_id: string(),
    paused: texts,
  }),
  createCheckpoint: named<typeof createCheckpoint.input>()("create_checkpoint", {
    checkpoint_id: string(),
    files: texts,
    bytes: integer(),
    absent: texts,
  }),
  recordDecision: named<typeof recordDecision.input>()("record_decision", {
    decision_id: string(),
    replaced: nullable(string()),
    locked: boolean(),
  }),
  todoRead: namedAs<NoInput>()("todo_read", todos),
  todoWrite: namedAs<typeof todoWrite.input>()("todo_write", todos),
  writeTodos: namedAs<typeof writeTodos.input>()("write_todos", todos),
  createNote: named<typeof editNotes.input>()("create_note", { note_id: string() }),
  listNotes: named<typeof listNotes.input>()("list_notes", { notes: list(note) }),
  updateNote: named<typeof editNotes.updateInput>()("update_note", { note_id: string(), changed: texts }),
  deleteNote: named<Schema<{ readonly note_id: string }>>()("delete_note", { note_id: string() }),
  createVulnerabilityReport: named<typeof finding.findingInput>()("create_vulnerability_report", {
    id: string(),
    scan_id: string(),
    cvss: object({
      base: number(),
      temporal: optional(number()),
      environmental: optional(number()),
      score: number(),
      severity: string(),
    }),
    severity: string(),
    files: object(reportFiles),
  }),
  finishScan: named<typeof finishScan.input>()("finish_scan", {
    scan_id: string(),
    findings: texts,
    counts: record(integer()),
    files: object({ ...reportFiles, html: string() }),
  }),
  searchTools: named<typeof searchTools.input>()("search_tools", {
    tools: rows({
      name: string(),
      description: string(),
      source: string(),
      active: boolean(),
      group: optional(string()),
    }),
  }),
  activateTools: named<typeof activateTools.input>()("activate_tools", { tools: texts, groups: texts }),
  readArtifact: namedAs<typeof readArtifact.input>()(
    "read_artifact",
    oneOf([
      object({ id: string(), start: integer(), end: integer(), size: integer() }),
      object({
        id: string(),
        matches: rows({ line: integer(), start: integer(), text: string() }),
        total: integer(),
        next_start: optional(integer()),
      }),
    ]),
  ),
  loadSkill: namedAs<typeof loadSkill.input>()(
    "load_skill",
    oneOf([
      object({ skills: rows({ name: string(), description: string() }) }),
      object({ name: string(), folder: string(), groups: texts, tools: texts, files: texts }),
    ]),
  ),
};
