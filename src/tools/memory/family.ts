import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import type { Tool } from "../../core/tool.ts";
import { checkRootedOptions } from "../shared/check-tool-options.ts";
import {
  COMPLETE_GOAL,
  SWITCH_GOAL,
  CREATE_GOAL,
  completeGoal,
  createGoal,
  switchGoal,
} from "./goals/goal-tools.ts";
import { CREATE_CHECKPOINT, createCheckpoint } from "./goals/create-checkpoint.ts";
import {
  DELETE_NOTE,
  UPDATE_NOTE,
  CREATE_NOTE,
  createNote,
  deleteNote,
  updateNote,
} from "./notes/edit-notes.ts";
import { LIST_NOTES, listNotes } from "./notes/list-notes.ts";
import { REMEMBER, MEMORY, memory, remember } from "./notes/memory.ts";
import type { MemoryOptions } from "./shared/options.ts";
import { READ_REASONING, readReasoning, think } from "./goals/read-reasoning.ts";
import { RECORD_DECISION, recordDecision } from "./goals/record-decision.ts";
import { TODO_READ, TODO_WRITE, todoRead, todoWrite, WRITE_TODOS, writeTodos } from "./todos/todo-tools.ts";

/** Returns the tools for memory, notes, to-dos and goals. */
export function memoryTools(options: MemoryOptions): Tool[] {
  checkRootedOptions("memoryTools", options);
  const { root, collections = createMemoryCollections() } = options;
  const workspace = { root, collections };
  return [
    memory(workspace),
    remember(workspace),
    readReasoning(options),
    createGoal(options),
    switchGoal(options),
    completeGoal(options),
    createCheckpoint(options),
    recordDecision(options),
    todoRead(options),
    todoWrite(options),
    writeTodos(options),
    createNote(workspace),
    listNotes(workspace),
    updateNote(workspace),
    deleteNote(workspace),
    think(options),
  ];
}

/** The tools of this family by name, for `builtIn`. */
export const MEMORY_NAMED = {
  memory: MEMORY,
  remember: REMEMBER,
  readReasoning: READ_REASONING,
  createGoal: CREATE_GOAL,
  switchGoal: SWITCH_GOAL,
  completeGoal: COMPLETE_GOAL,
  createCheckpoint: CREATE_CHECKPOINT,
  recordDecision: RECORD_DECISION,
  todoRead: TODO_READ,
  todoWrite: TODO_WRITE,
  writeTodos: WRITE_TODOS,
  createNote: CREATE_NOTE,
  updateNote: UPDATE_NOTE,
  deleteNote: DELETE_NOTE,
  listNotes: LIST_NOTES,
};
