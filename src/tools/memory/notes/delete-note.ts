import { Reply } from "../../../core/content.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { object } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import type { WorkspaceOptions } from "../../shared/workspace-collection.ts";
import { OWN_STATE } from "../shared/kinds.ts";
import { noteId, notesOf } from "./notes.ts";

/** Deletes a note permanently. */
export function deleteNote(options: WorkspaceOptions): Tool {
  const notes = notesOf(options);
  return defineTool({
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
