import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Tool } from "../../../src/core/tool.ts";
import { applyPatch } from "../../../src/tools/files/patch/apply-patch.ts";
import { editFile, fileMultiEdit } from "../../../src/tools/files/edit/edit-file.ts";
import type { FilesOptions } from "../../../src/tools/files/shared/options.ts";
import { writeFile } from "../../../src/tools/files/edit/write-file.ts";

type Files = Readonly<Record<string, string>>;

/** A call that changes files. */
export interface EditCase {
  readonly name: string;
  readonly tool: (options: FilesOptions) => Tool;
  readonly input: JsonObject;
  readonly before: Files;
  readonly after: Files;
}

const long = "line\n".repeat(2000);

/** Each way in which a tool changes files. */
export const EDIT_CASES: readonly EditCase[] = [
  {
    name: "write_file over a file",
    tool: writeFile,
    input: { path: "a", content: `new ${long}` },
    before: { a: `old ${long}` },
    after: { a: `new ${long}` },
  },
  {
    name: "write_file of a new file in new folders",
    tool: writeFile,
    input: { path: "x/y/a", content: "new" },
    before: { b: "other" },
    after: { b: "other", "x/y/a": "new" },
  },
  {
    name: "edit_file",
    tool: editFile,
    input: { path: "a", old_string: "old", new_string: "new" },
    before: { a: `old ${long}` },
    after: { a: `new ${long}` },
  },
  {
    name: "file_multi_edit",
    tool: fileMultiEdit,
    input: {
      path: "a",
      edits: [
        { old_string: "one", new_string: "1", replace_all: false },
        { old_string: "two", new_string: "2", replace_all: false },
      ],
    },
    before: { a: "one two" },
    after: { a: "1 2" },
  },
  {
    name: "apply_patch",
    tool: applyPatch,
    input: {
      patch:
        "*** Begin Patch\n*** Update File: a\n@@\n-a\n+A\n*** Add File: made/new\n+new\n*** Delete File: c\n" +
        "*** Update File: sub/d\n*** Move to: e\n@@\n-d\n+E\n*** Update File: b\n@@\n-b\n+B\n*** End Patch",
    },
    before: { a: "a\n", b: "b\n", c: "c\n", "sub/d": "d\n", "sub/other": "other" },
    after: { a: "A\n", b: "B\n", e: "E\n", "made/new": "new\n", "sub/other": "other" },
  },
];

/** Puts the files of a case into a folder. */
export function arrange(root: string, { before }: EditCase): void {
  for (const [path, content] of Object.entries(before)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
    chmodSync(join(root, path), 0o640);
  }
}
