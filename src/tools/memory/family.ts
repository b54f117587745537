import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import type { Tool } from "../../core/tool.ts";
import { checkRoot } from "../shared/check-root.ts";
import { completeGoal, createGoal, switchGoal } from "./goals/goal-tools.ts";
import { createCheckpoint } from "./goals/create-checkpoint.ts";
import { createNote, deleteNote, updateNote } from "./notes/edit-notes.ts";
import { listNotes } from "./notes/list-notes.ts";
import { memory, remember } from "./notes/memory.ts";
import type { MemoryOptions } from "./shared/options.ts";
import { readReasoning, think } from "./goals/read-reasoning.ts";
import { recordDecision } from "./goals/record-decision.ts";
import { todoRead, todoWrite } from "./todos/todo-write.ts";
import { writeTodos } from "./todos/write-todos.ts";

/** Returns the tools for memory, notes, to-dos and goals. */
export function memoryTools(options: MemoryOptions): Tool[] {
  checkRoot("memoryTools", options);
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
