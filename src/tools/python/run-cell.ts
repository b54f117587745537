import { open } from "node:fs/promises";
import { constants } from "node:fs";
import { basename } from "node:path";
import { image, Reply, type Content } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { ToolError } from "../../core/errors.ts";
import type { JsonObject } from "../../core/json.ts";
import { imageTypeOf } from "../../system/files/kind.ts";
import { createCapture, type Captured } from "../../system/process/capture.ts";
import type { CellAnswer } from "../../system/python/cells.ts";
import { displayPath } from "../shared/facts.ts";
import { abortedCommand, captureOptions, cutNotice, toData } from "../running/shell-answer.ts";
import type { NamedInterpreter } from "./interpreters.ts";
import { defined } from "../../util/json/defined.ts";

/** Further images of a cell are not shown. */
export const MAX_IMAGES = 8;

/** A larger image is not shown. */
export const MAX_IMAGE_MB = 5;

/** Returns the work that runs the code in an interpreter. */
export function execute(root: string, code: string, context: ToolContext) {
  return (named: NamedInterpreter): Promise<Reply> => runCell(root, named, code, context);
}

async function runCell(
  root: string,
  { id, interpreter }: NamedInterpreter,
  code: string,
  context: ToolContext,
): Promise<Reply> {
  const capture = createCapture(captureOptions(context));
  const end = await interpreter.run(
    code,
    (chunk) => {
      context.emit(chunk);
      return capture.write(chunk);
    },
    context.signal,
  );
  const captured = await capture.close();
  const cell = { session_id: id, cell: interpreter.cells() };
  if (context.signal.aborted) {
    const hint =
      "answer" in end
        ? `the code was interrupted; the Python session ${id} goes on with its variables`
        : `the code did not react to the interruption, so the Python session ${id} was ended; its variables are lost`;
    const data = { ...cell, session_state: "answer" in end ? "ready" : "ended" };
    throw abortedCommand(context.signal.reason, NOT_ENDED, captured, { hint, data });
  }
  if ("ended" in end) {
    throw new ToolError("TOOL_FAILED", `the interpreter of the Python session ${id} is gone: ${end.ended}`, {
      hint: "its variables are lost; the next execute begins with a new interpreter",
      details: { ...toData(NOT_ENDED, captured), ...cell, session_state: "ended" },
    });
  }
  return answer({ root, captured, cell, given: end.answer });
}

const NOT_ENDED = { exitCode: null, signal: null };

interface CellReply {
  readonly root: string;
  readonly captured: Captured;
  readonly cell: JsonObject;
  readonly given: CellAnswer;
}

async function answer({ root, captured, cell, given }: CellReply): Promise<Reply> {
  const { value, exception } = given;
  const { all, artifactId } = captured;
  const { images, notes } = await readImages(root, given);
  const lines = [
    ...(all.isCut ? [cutNotice(captured)] : []),
    ...(all.text === "" ? [] : [all.text.replace(/\n$/, "")]),
    ...(value === null ? [] : [value]),
    ...notes,
  ];
  const text = lines.length === 0 ? "[no output]" : lines.join("\n");
  const { exit_code: _, signal: _signal, ...output } = toData(NOT_ENDED, captured);
  const data = { ...cell, ...output, value, exception: exception && { ...exception }, images: images.length };
  return new Reply([{ type: "text", text }, ...images], {
    data,
    ...(all.isCut && {
      truncated: { shape: "log", total: all.total, ...defined({ artifactId }) },
    }),
  });
}

/** Returns the images of a cell, and a line about each: where it is, or why it is not shown. */
async function readImages(
  root: string,
  { images: written, figures }: CellAnswer,
): Promise<{ readonly images: readonly Content[]; readonly notes: readonly string[] }> {
  const images: Content[] = [];
  const notes: string[] = [];
  const paths = [...written, ...figures];
  for (const path of paths.slice(0, MAX_IMAGES)) {
    const bytes = await readImage(path);
    const type = typeof bytes === "string" ? undefined : imageTypeOf(bytes);
    const name = figures.includes(path) ? basename(path) : displayPath(root, path);
    if (typeof bytes === "string") notes.push(`[${name} is not shown: ${bytes}]`);
    else if (type === undefined) notes.push(`[${name} is not shown: it is no image]`);
    else {
      images.push(image(bytes, type));
      notes.push(`[${name}: ${type}, ${bytes.length} bytes]`);
    }
  }
  if (paths.length > MAX_IMAGES) notes.push(`[${paths.length - MAX_IMAGES} more images are not shown]`);
  return { images, notes };
}

/** Returns the bytes of a file, or why there are none. */
async function readImage(path: string): Promise<Buffer | string> {
  try {
    await using handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stats = await handle.stat();
    if (!stats.isFile()) return "it is no file";
    if (stats.size > MAX_IMAGE_MB * 1024 * 1024) return `it is larger than ${MAX_IMAGE_MB} MB`;
    return await handle.readFile();
  } catch {
    return "it cannot be read";
  }
}
