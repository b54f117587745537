import { shortened } from "../../../util/text/shortened.ts";
import { builtIn, OWN_STATE, named } from "../../shared/built-in-tool.ts";
import { Reply } from "../../../core/content.ts";
import { list, object, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { MAX_TEXT_BYTES } from "../../shared/answer-limits.ts";
import { createTextIndex } from "../../shared/text-index.ts";
import type { WorkspaceOptions } from "../../shared/collections.ts";
import { keptNote, noteCategory, notesOf, type KeptNote } from "./notes.ts";

const PREVIEW_CHARACTERS = 200;
const MAX_FOUND = 50;
const TITLE_WEIGHT = 4;
const TAG_WEIGHT = 3;

const input = object({
  category: optional({ ...noteCategory, description: "Only notes of this category" }),
  tags: optional(list(string("A word", { min: 1 }), "Only notes with one of these tags")),
  search: optional(string("Only notes with one of these words, best matches first", { min: 1 })),
});

export const LIST_NOTES = named("list_notes", input, { notes: list(keptNote) });

/** Finds notes and shows their contents. */
export function listNotes(options: WorkspaceOptions): Tool {
  const notes = notesOf(options);
  return builtIn({
    ...LIST_NOTES,
    description:
      "Shows the notes of this workspace, last changed first, or those that match. A single note, or up to " +
      `${MAX_TEXT_BYTES / 1024} KB of notes, is shown in full, more only by their beginnings. A search returns the ${MAX_FOUND} best.`,
    ...OWN_STATE,
    attributes: ({ category = "", search = "" }) => ({ category, search }),
    async run({ category, tags, search }) {
      const isWanted = (note: KeptNote): boolean =>
        (category === undefined || isSameWord(note.category, category)) &&
        (tags === undefined || tags.some((tag) => note.tags.some((own) => isSameWord(own, tag))));
      const fitting = (await notes.list()).filter(isWanted);
      return describe(search === undefined ? fitting : best(fitting, search));
    },
  });
}

function best(notes: readonly KeptNote[], search: string): readonly KeptNote[] {
  const index = createTextIndex(notes, ({ title, content, category, tags }) => [
    [title, TITLE_WEIGHT],
    [[category, ...tags].join(" "), TAG_WEIGHT],
    [content, 1],
  ]);
  return index.search(search, MAX_FOUND);
}

function isSameWord(left: string, right: string): boolean {
  return left.normalize().toLowerCase() === right.normalize().toLowerCase();
}

function describe(notes: readonly KeptNote[]): Reply {
  if (notes.length === 0) return new Reply("[no note matches]", { data: { notes: [] } });
  const whole = render(notes);
  const isShown = notes.length === 1 || Buffer.byteLength(whole) <= MAX_TEXT_BYTES;
  if (isShown) return new Reply(whole, { data: { notes } });
  const short = notes.map((note) => ({ ...note, content: shortened(note.content, PREVIEW_CHARACTERS) }));
  const notice = `[${notes.length} notes, shown by their beginnings; use search or category to narrow it down]`;
  return new Reply(`${notice}\n${render(short)}`, { data: { notes: short } });
}

function render(notes: readonly KeptNote[]): string {
  return notes
    .map(({ id, title, content, category, tags, updatedAt }) => {
      const day = new Date(updatedAt).toISOString().slice(0, 10);
      const about = [category, ...tags.map((tag) => `#${tag}`), day];
      return `${id} ${title} [${about.join(" ")}]\n${content}`;
    })
    .join("\n\n");
}
