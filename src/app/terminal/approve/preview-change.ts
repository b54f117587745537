import { isUtf8 } from "node:buffer";
import { dirname } from "node:path";
import type { ApprovalRequest } from "../../../core/approval.ts";
import type { PathFact } from "../../../core/fact.ts";
import { isObject, type JsonObject } from "../../../core/json.ts";
import { readDocument } from "../../../system/files/read-document.ts";
import { applyEdits, type Edit } from "../../../tools/files/edit/apply-edits.ts";
import { insertLines } from "../../../tools/files/edit/str-replace-editor.ts";
import { unifiedDiff } from "../../../tools/files/shared/unified-diff.ts";

const MAX_BYTES = 2 * 1024 * 1024;

/**
 * Returns the diff that a call would make to files; undefined if it does anything besides, changes no text file or would fail.
 * Never throws.
 */
export function previewChange({ input, facts }: ApprovalRequest): string | undefined {
  // The diff is shown in place of the input, which may mean anything to another tool.
  if (!facts.every(({ kind }) => kind === "path")) return undefined;
  const target = facts.find((fact): fact is PathFact => fact.kind === "path" && fact.access === "write");
  if (target === undefined) return undefined;
  if (typeof input["patch"] === "string") return input["patch"];
  if (target.change === "delete") return undefined;
  try {
    const before = contentOf(target);
    const after = before === undefined ? undefined : changed(before, input);
    if (before === undefined || after === undefined) return undefined;
    // The whole path, without the slash that the prefix of the diff ends with.
    const path = target.path.replace(/^\//, "");
    return unifiedDiff(path, before, after, {
      from: target.inode === undefined ? undefined : path,
      to: path,
    });
  } catch {
    // The call itself reports the error, if it is allowed.
    return undefined;
  }
}

/** Returns the current text; empty for a new file, undefined if it is not text. */
function contentOf({ path, inode }: PathFact): string | undefined {
  if (inode === undefined) return "";
  const bytes = readDocument(path, { maxBytes: MAX_BYTES, folder: dirname(path) });
  return bytes !== undefined && isUtf8(bytes) ? bytes.toString("utf8") : undefined;
}

function changed(before: string, input: JsonObject): string | undefined {
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
