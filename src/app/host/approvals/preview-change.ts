import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import type { ApprovalRequest } from "../../../core/approval.ts";
import type { PathFact } from "../../../core/fact.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { readDocument } from "../../../system/files/read-document.ts";
import { applyEdits, type Edit } from "../../../tools/files/edit/apply-edits.ts";
import { insertLines } from "../../../tools/files/edit/insert-lines.ts";
import { unifiedDiff } from "../../../tools/files/shared/unified-diff.ts";
import { shownPath } from "./describe-fact.ts";

const MAX_BYTES = 2 * 1024 * 1024;

type Previewed = Pick<ApprovalRequest, "input" | "facts" | "folder">;

/**
 * Returns the diff that a call would make to files; undefined if it does anything besides, changes no text file or would fail.
 * Never throws.
 */
export function previewChange({ input, facts, folder }: Previewed): string | undefined {
  if (writtenBy({ input, facts }) !== undefined && typeof input["patch"] === "string") return input["patch"];
  const change = previewTexts({ input, facts });
  if (change === undefined) return undefined;
  const { target, before, after } = change;
  // Of the whole path the slash is the one that the prefix of the diff ends with.
  const path = shownPath(target.path, folder).replace(/^\//, "");
  return unifiedDiff(path, before, after, { from: target.inode === undefined ? undefined : path, to: path });
}

/** Returns the one file that a call would change, with its text before and after; undefined as for `previewChange`, and for a patch. Never throws. */
export function previewTexts({ input, facts }: Previewed) {
  const target = writtenBy({ input, facts });
  if (target === undefined || target.change === "delete") return undefined;
  try {
    const before = contentOf(target);
    const after = before === undefined ? undefined : changedText(before, input);
    return before === undefined || after === undefined ? undefined : { target, before, after };
  } catch {
    // The call itself reports the error, if it is allowed.
    return undefined;
  }
}

/** Returns the first file that a call would write; undefined if it does anything besides: its input may mean anything then. */
function writtenBy({ facts }: Previewed): PathFact | undefined {
  if (!facts.every(({ kind }) => kind === "path")) return undefined;
  return facts.find((fact): fact is PathFact => fact.kind === "path" && fact.access === "write");
}

/** Returns the current text; empty for a new file, undefined if it is not text. */
function contentOf({ path, inode }: PathFact): string | undefined {
  if (inode === undefined) return "";
  const bytes = readDocument(path, { maxBytes: MAX_BYTES, folder: dirname(path) });
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

/** Returns the text that the input of an edit makes of another; undefined if it is none. Throws if the edit does not match. */
export function changedText(before: string, input: JsonObject): string | undefined {
  const { content, old_string: old, new_string: put = "", edits, insert_line: line } = input;
  if (typeof content === "string") return content;
  if (typeof line === "number" && typeof put === "string") return insertLines(before, line, put);
  const list = Array.isArray(edits) ? edits.filter(isObject).map(toEdit) : [];
  if (list.length > 0) return applyEdits(before, list).text;
  return typeof old === "string" ? applyEdits(before, [toEdit(input)]).text : undefined;
}

function toEdit({ old_string: old, new_string: put, replace_all: all }: JsonObject): Edit {
  return {
    old_string: typeof old === "string" ? old : "",
    new_string: typeof put === "string" ? put : "",
    replace_all: all === true,
  };
}
