import { randomUUID } from "node:crypto";
import { ToolError } from "../../../core/errors.ts";
import { isObject } from "../../../core/json.ts";
import { integer, list, object, string, type Infer } from "../../../schema/define/schema.ts";
import { addWithin, workspaceCollection, type WorkspaceOptions } from "../../shared/collections.ts";

export const MAX_NOTES = 500;
export const MAX_CONTENT_CHARACTERS = 20_000;
/** The maximum number of notes of all workspaces. */
const MAX_OF_ALL = 20_000;
const MAX_TITLE_CHARACTERS = 200;
const MAX_WORD_CHARACTERS = 50;
const MAX_TAGS = 20;

/** The parameters of a note. */
export const noteTitle = string("The subject, in one line", { min: 1, max: MAX_TITLE_CHARACTERS });
export const noteContent = string("The note itself", { max: MAX_CONTENT_CHARACTERS });
const word = (description: string) => string(description, { min: 1, max: MAX_WORD_CHARACTERS });
export const noteCategory = word('What kind of note it is, such as "finding"');
export const noteTags = list(word("A word"), "Words to find it by", { max: MAX_TAGS });
export const noteId = word("The id from create_note or list_notes");

/** A note with its id. */
export const keptNote = object({
  id: string(),
  title: string(),
  content: string(),
  category: string(),
  tags: list(string()),
  // Milliseconds since 1970.
  createdAt: integer(),
  updatedAt: integer(),
});

export type KeptNote = Infer<typeof keptNote>;
type Note = Omit<KeptNote, "id">;
export type NoteChange = Partial<Pick<Note, "title" | "content" | "category" | "tags">>;

type NewNote = Pick<Note, "title" | "content"> & NoteChange;

/** Opens the notes of a workspace, shared by its sessions. */
export function notesOf(options: WorkspaceOptions) {
  const collection = workspaceCollection(options, { name: "notes", limit: MAX_OF_ALL });
  return {
    /** Returns the new note's id. */
    async create({ title, content, category = "general", tags = [] }: NewNote): Promise<string> {
      const id = randomUUID().slice(0, 8);
      const at = Date.now();
      const note = { title, content, category, tags: [...new Set(tags)], createdAt: at, updatedAt: at };
      if (await addWithin(collection, id, note, MAX_NOTES)) return id;
      throw new ToolError("TOOL_FAILED", `the limit of ${MAX_NOTES} notes is reached`, {
        hint: "delete some with delete_note, or add to one with update_note",
      });
    },
    /** Returns the notes, last changed first. */
    async list(): Promise<readonly KeptNote[]> {
      const notes = (await collection.list()).flatMap(({ key: id, value }) =>
        isObject(value) ? [{ ...(value as Note), id }] : [],
      );
      return notes.sort((left, right) => right.updatedAt - left.updatedAt);
    },
    /** Throws for an unknown id, like `delete`. */
    async update(id: string, change: NoteChange): Promise<void> {
      await collection.update(id, (kept) => {
        if (!isObject(kept)) throw unknownNote(id);
        return { ...kept, ...change, updatedAt: Date.now() };
      });
    },
    async delete(id: string): Promise<void> {
      if (!(await collection.delete(id))) throw unknownNote(id);
    },
  };
}

function unknownNote(id: string): ToolError {
  return new ToolError("TOOL_FAILED", `unknown note ${JSON.stringify(id)}`, {
    hint: "list_notes shows all ids",
    details: { note_id: id },
  });
}
