import { Reply } from "../../../core/content.ts";
import { object, optional } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { builtIn, OWN_STATE, missingProblem } from "../../shared/built-in-tool.ts";
import type { WorkspaceOptions } from "../../shared/collections.ts";
import { noteCategory, noteContent, noteId, notesOf, noteTags, noteTitle } from "./notes.ts";

const input = object({
  note_id: noteId,
  title: optional(noteTitle),
  content: optional(noteContent),
  category: optional(noteCategory),
  tags: optional(noteTags),
});

/** Changes a note. */
export function updateNote(options: WorkspaceOptions): Tool {
  const notes = notesOf(options);
  return builtIn({
    name: "update_note",
    description: "Changes a note: given fields are replaced, the others stay.",
    input,
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
