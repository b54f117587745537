import { builtIn, OWN_STATE } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import { object, optional } from "../../../schema/define/schema.ts";
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
} from "./notes.ts";

const input = object({
  title: noteTitle,
  content: noteContent,
  category: optional(noteCategory),
  tags: optional(noteTags),
});

/** Writes a note. */
export function createNote(options: WorkspaceOptions): Tool {
  const notes = notesOf(options);
  return builtIn({
    name: "create_note",
    description:
      "Writes a note that is available to this and all later sessions in this workspace. " +
      `Up to ${MAX_NOTES} notes, ${MAX_CONTENT_CHARACTERS} characters each.`,
    input,
    ...OWN_STATE,
    attributes: ({ category = "general" }) => ({ category }),
    async run({ title, content, category, tags }) {
      const id = await notes.create({ title, content, ...(category && { category }), ...(tags && { tags }) });
      return new Reply(`Wrote note ${id}`, { data: { note_id: id } });
    },
  });
}
