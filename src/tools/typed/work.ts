import { boolean, integer, list, object, oneOf, optional, string } from "../../schema/define/schema.ts";
import type * as runCode from "../code/run-code.ts";
import type * as deleteFile from "../files/edit/delete-file.ts";
import type * as editFile from "../files/edit/edit-file.ts";
import type * as strReplaceEditor from "../files/edit/str-replace-editor.ts";
import type * as writeFile from "../files/edit/write-file.ts";
import type * as applyPatch from "../files/patch/apply-patch.ts";
import type * as readFile from "../files/read/read-file.ts";
import type * as readManyFiles from "../files/read/read-many-files.ts";
import type * as glob from "../files/search/glob.ts";
import type * as grep from "../files/search/grep.ts";
import type * as ls from "../files/search/ls.ts";
import type * as batch from "../running/batch.ts";
import type * as pythonAction from "../python/python-action.ts";
import type * as shell from "../running/shell.ts";
import type * as processes from "../running/view-background-processes.ts";
import type * as imageRecognition from "../web/image-recognition.ts";
import type * as webFetch from "../web/web-fetch.ts";
import type * as webSearch from "../web/web-search.ts";
import { ANY, named, namedAs, nullable, rows } from "./named.ts";

const texts = list(string());
const partial = { partial: optional(boolean()) };
const textFile = object({
  path: string(),
  start_line: integer(),
  lines: integer(),
  total_lines: optional(integer()),
  encoding: string(),
});
const otherFile = object({
  path: string(),
  mime_type: string(),
  bytes: integer(),
  total_pages: optional(integer()),
});
const pdfPages = object({ path: string(), start_page: integer(), pages: integer(), total_pages: integer() });
const listing = object({ entries: texts, ...partial });
const written = object({ path: string(), bytes: integer(), created: boolean() });
const tolerated = optional(rows({ edit: integer(), line: integer(), tolerance: string() }));
const edited = object({ path: string(), replacements: integer(), diff: string(), tolerated });
const processFields = {
  id: string(),
  pid: integer(),
  command: string(),
  state: oneOf(["running", "ended"]),
  started_at: string(),
  exit_code: nullable(integer()),
  signal: nullable(string()),
  bytes: integer(),
  artifact_id: optional(string()),
};
const process = object(processFields);
const pythonSession = object({
  session_id: string(),
  state: oneOf(["ready", "busy"]),
  cells: integer(),
  pid: integer(),
  version: string(),
  executable: string(),
});

/** The tools for files, programs and the web. */
export const WORK = {
  glob: named<typeof glob.input>()("glob", { files: texts, ...partial }),
  ls: namedAs<typeof ls.input>()("ls", listing),
  grep: named<typeof grep.input>()("grep", {
    matches: optional(rows({ path: string(), line: integer(), text: string() })),
    files: optional(texts),
    counts: optional(rows({ path: string(), count: integer() })),
    ...partial,
  }),
  readFile: namedAs<typeof readFile.input>()("read_file", oneOf([textFile, otherFile, pdfPages])),
  readManyFiles: named<typeof readManyFiles.input>()("read_many_files", {
    files: list(oneOf([textFile, otherFile, pdfPages])),
    failed: rows({ path: string(), error: string() }),
    left_out: texts,
    ...partial,
  }),
  writeFile: namedAs<typeof writeFile.input>()("write_file", written),
  editFile: namedAs<typeof editFile.input>()("edit_file", edited),
  fileMultiEdit: namedAs<typeof editFile.multiInput>()("file_multi_edit", edited),
  applyPatch: named<typeof applyPatch.input>()("apply_patch", {
    files: rows({
      path: string(),
      action: oneOf(["add", "update", "delete", "move"]),
      from: optional(string()),
      diff: string(),
    }),
    trash: optional(rows({ path: string(), trash_id: string() })),
  }),
  strReplaceEditor: namedAs<typeof strReplaceEditor.input>()(
    "str_replace_editor",
    oneOf([textFile, otherFile, pdfPages, listing, written, object({ path: string(), diff: string() })]),
  ),
  deleteFile: named<typeof deleteFile.input>()("delete_file", {
    path: string(),
    trash_id: string(),
    kind: string(),
    bytes: integer(),
  }),
  shell: namedAs<typeof shell.input>()(
    "shell",
    oneOf([
      object({
        stdout: string(),
        stderr: string(),
        exit_code: nullable(integer()),
        signal: nullable(string()),
        terminal_id: optional(string()),
        terminal_state: optional(string()),
      }),
      object({ id: string(), pid: integer(), state: oneOf(["running"]) }),
    ]),
  ),
  viewBackgroundProcesses: namedAs<typeof processes.input>()(
    "view_background_processes",
    oneOf([object({ processes: list(process) }), object({ ...processFields, output: string() })]),
  ),
  stopBackgroundProcess: namedAs<typeof processes.stopInput>()("stop_background_process", process),
  pythonAction: namedAs<typeof pythonAction.input>()(
    "python_action",
    oneOf([
      object({
        session_id: string(),
        cell: integer(),
        stdout: string(),
        stderr: string(),
        value: nullable(string()),
        exception: nullable(
          object({ type: string(), message: string(), line: nullable(integer()), is_system: boolean() }),
        ),
        images: integer(),
      }),
      pythonSession,
      object({ sessions: list(pythonSession) }),
      object({ session_id: string(), state: oneOf(["ended"]) }),
    ]),
  ),
  batch: named<typeof batch.input>()("batch", {
    failed: integer(),
    results: rows({
      tool: string(),
      ok: boolean(),
      data: optional(ANY),
      error: optional(object({ code: string(), message: string(), hint: optional(string()) })),
    }),
  }),
  runCode: named<typeof runCode.input>()("run_code", {
    calls: integer(),
    failed: integer(),
    console: string(),
    result: optional(ANY),
  }),
  webFetch: named<typeof webFetch.input>()("web_fetch", {
    url: string(),
    status: integer(),
    bytes: integer(),
    content_type: optional(string()),
    redirects_to: optional(string()),
  }),
  webSearch: named<typeof webSearch.input>()("web_search", {
    results: rows({ title: string(), url: string(), snippet: string() }),
  }),
  imageRecognition: named<typeof imageRecognition.input>()("image_recognition", {
    image: string(),
    mime_type: string(),
    bytes: integer(),
  }),
};
