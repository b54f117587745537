import { builtIn, OWN_STATE, missingProblem, named } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import { list, object, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import type { WorkspaceOptions } from "../../shared/collections.ts";
import {
  MAX_CONTENT_CHARACTERS,
  MAX_NOTES,
  noteCategory,
  noteContent,
  notesOf,
  noteTags,
  noteTitle,
  noteId,
} from "./notes.ts";

const input = object({
  title: noteTitle,
  content: noteContent,
  category: optional(noteCategory),
  tags: optional(noteTags),
});

export const CREATE_NOTE = named("create_note", input, { note_id: string() });

/** Writes a note. */
export function createNote(options: WorkspaceOptions): Tool {
  const notes = notesOf(options);
  return builtIn({
    ...CREATE_NOTE,
    description:
      "Writes a note that is available to this and all later sessions in this workspace. " +
      `Up to ${MAX_NOTES} notes, ${MAX_CONTENT_CHARACTERS} characters each.`,
    ...OWN_STATE,
    attributes: ({ category = "general" }) => ({ category }),
    async run({ title, content, category, tags }) {
      const id = await notes.create({ title, content, ...(category && { category }), ...(tags && { tags }) });
      return new Reply(`Wrote note ${id}`, { data: { note_id: id } });
    },
  });
}

const updateInput = object({
  note_id: noteId,
  title: optional(noteTitle),
  content: optional(noteContent),
  category: optional(noteCategory),
  tags: optional(noteTags),
});

export const UPDATE_NOTE = named("update_note", updateInput, { note_id: string(), changed: list(string()) });

/** Changes a note. */
export function updateNote(options: WorkspaceOptions): Tool {
  const notes = notesOf(options);
  return builtIn({
    ...UPDATE_NOTE,
    description: "Changes a note: given fields are replaced, the others stay.",
    ...OWN_STATE,
    check: ({ title, content, category, tags }) =>
      missingProblem("content", title ?? content ?? category ?? tags, "a change, or title, category or tags"),
    attributes: ({ note_id }) => ({ note_id }),
    async run({ note_id, ...change }) {
      await notes.update(note_id, change);
      return new Reply(`Changed note ${note_id}`, { data: { note_id, changed: Object.keys(change) } });
    },
  });
}

export const DELETE_NOTE = named("delete_note", object({ note_id: noteId }), { note_id: string() });

/** Deletes a note permanently. */
export function deleteNote(options: WorkspaceOptions): Tool {
  const notes = notesOf(options);
  return builtIn({
    ...DELETE_NOTE,
    description: "Deletes a note permanently.",
    ...OWN_STATE,
    attributes: ({ note_id }) => ({ note_id }),
    async run({ note_id }) {
      await notes.delete(note_id);
      return new Reply(`Deleted note ${note_id}`, { data: { note_id } });
    },
  });
}
