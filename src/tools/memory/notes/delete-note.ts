import { builtIn, OWN_STATE } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import { object } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import type { WorkspaceOptions } from "../../shared/collections.ts";
import { noteId, notesOf } from "./notes.ts";

/** Deletes a note permanently. */
export function deleteNote(options: WorkspaceOptions): Tool {
  const notes = notesOf(options);
  return builtIn({
    name: "delete_note",
    description: "Deletes a note permanently.",
    input: object({ note_id: noteId }),
    ...OWN_STATE,
    attributes: ({ note_id }) => ({ note_id }),
    async run({ note_id }) {
      await notes.delete(note_id);
      return new Reply(`Deleted note ${note_id}`, { data: { note_id } });
    },
  });
}
