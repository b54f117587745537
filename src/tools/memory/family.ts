import { createMemoryCollections } from "../../util/memory-collections.ts";
import type { Tool } from "../../core/tool.ts";
import { completeGoal } from "./complete-goal.ts";
import { createCheckpoint } from "./create-checkpoint.ts";
import { createGoal } from "./create-goal.ts";
import { createNote } from "./create-note.ts";
import { deleteNote } from "./delete-note.ts";
import { listNotes } from "./list-notes.ts";
import { memory } from "./memory.ts";
import type { MemoryOptions } from "./options.ts";
import { readReasoning } from "./read-reasoning.ts";
import { recordDecision } from "./record-decision.ts";
import { remember } from "./remember.ts";
import { switchGoal } from "./switch-goal.ts";
import { think } from "./think.ts";
import { todoRead } from "./todo-read.ts";
import { todoWrite } from "./todo-write.ts";
import { updateNote } from "./update-note.ts";
import { writeTodos } from "./write-todos.ts";

/** The tools to remember, plan and think with. */
export function memoryTools(options: MemoryOptions): Tool[] {
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
