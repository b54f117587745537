import { isUtf8 } from "node:buffer";
import { Reply, type Content, type ResourceLink } from "../../core/content.ts";
import { isErrorCode } from "../../core/errors.ts";
import { isObject, type Json } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import { describeProblems } from "../../json-schema/problems/findings.ts";
import { childOf, keysOf } from "../../json-schema/shared/pointer.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { defined } from "../../util/json/defined.ts";
import { maskJson } from "../../secrets/mask-json.ts";
import { textOf } from "../../util/text/text-of.ts";
import { required, type CallState, type StageOutcome } from "../call/call-state.ts";
import { cleanJson, cleanText, maskerOf } from "./clean-text.ts";
import { cutList, cutOf, cutText, shapeOf, storeWhole } from "./cut.ts";
import { fence } from "./fence.ts";
import { fromBytes } from "./from-bytes.ts";
import { fits, howToRead, shortenLists, shrinkJson } from "./truncate.ts";

/** Stage: turns the output into content for the model and data for programs: valid, clean, masked and cut. */
export function format(state: CallState): StageOutcome | Promise<StageOutcome> {
  const { output } = state;
  if (output === undefined) return checkOutput(state, undefined);
  if (typeof output === "string") return formatText(state, output);
  if (output instanceof Reply) return formatReply(state, output);
  if (output instanceof Uint8Array) return formatReply(state, fromBytes(output));
  if (isContent(output)) return formatReply(state, new Reply([output]));
  if (isMixed(output)) return formatReply(state, new Reply(output.map(toContent)));
  return formatJson(state, output);
}

function formatText(state: CallState, output: string): StageOutcome | Promise<StageOutcome> {
  const fault = checkOutput(state, output);
  if (fault !== undefined) return fault;
  // Checked already: a reply without data would be checked as null.
  if (isCutByItems(state)) return formatItems(state, output.split("\n"), new Reply(output));
  const text = cleanText(state, output);
  if (!fits(text, cutOf(state).over)) return cutReply(state, new Reply(output), text);
  state.content = [shown(state, text)];
  return undefined;
}

function formatJson(state: CallState, output: unknown): StageOutcome | Promise<StageOutcome> {
  const copy = copyJson(output, "INVALID_OUTPUT");
  const own = ownError(copy);
  if (own !== undefined) return own;
  const fault = checkOutput(state, copy);
  if (fault !== undefined) return fault;
  const { data, text } = withoutLoneSurrogates(maskJson(copy, maskerOf(state)));
  state.data = data;
  if (Array.isArray(data) && isCutByItems(state) && state.options.maxBytes === undefined)
    return cutItems(state, data, text);
  state.content = [shown(state, cleanJson(state, text))];
  return fits(text, cutOf(state).over) ? undefined : cutJson(state, data, text);
}

interface JsonWithText {
  readonly data: Json;
  readonly text: string;
}

/** JSON text has an escape in place of a lone surrogate; few texts have one. */
function withoutLoneSurrogates(given: JsonWithText): JsonWithText {
  if (!given.text.includes("\\ud")) return given;
  const data = copyJson(given.data, undefined, (text) => text.toWellFormed());
  return { data, text: JSON.stringify(data) };
}

function isCutByItems(state: CallState): boolean {
  const shape = shapeOf(state);
  return shape === "list" || shape === "matches";
}

/** Cuts a list by its items, and one of long items to five times the size of a text. */
function cutItems(state: CallState, data: readonly Json[], text: string): undefined | Promise<undefined> {
  const { cuts } = state.engine;
  const { over, keep } = cuts[shapeOf(state)];
  const most = cuts.text.over * 5;
  if (data.length > over || !fits(text, most)) {
    const short = shrinkJson(data.length > over ? data.slice(0, keep) : data, most) as readonly Json[];
    return showItems(state, short, data.length, text);
  }
  state.content = [shown(state, cleanJson(state, text))];
  return undefined;
}

async function showItems(
  state: CallState,
  items: readonly Json[],
  total: number,
  whole: string,
): Promise<undefined> {
  const shape = shapeOf(state);
  const artifactId = await storeWhole(state, whole);
  const notice = `[truncated: the first ${items.length} of ${total} items shown; ${howToRead(artifactId)}]`;
  state.data = items;
  state.truncated = { shape, total, ...defined({ artifactId }) };
  state.content = [shown(state, cleanJson(state, JSON.stringify(items))), { type: "text", text: notice }];
}

/** Cuts long JSON to a smaller JSON value and stores the whole as an artifact. */
async function cutJson(state: CallState, data: Json, text: string): Promise<undefined> {
  const { engine } = state;
  const shape = shapeOf(state);
  const shorter = isCutByItems(state) ? shortenLists(data, engine.cuts[shape]) : data;
  const short = shrinkJson(shorter, cutOf(state).keep);
  const { notice, truncated } = await cutText(state, text, { shown: JSON.stringify(short) });
  state.data = short;
  state.truncated = truncated;
  state.content = [shown(state, cleanJson(state, JSON.stringify(short))), { type: "text", text: notice }];
}

function formatReply(state: CallState, given: Reply): StageOutcome | Promise<StageOutcome> {
  if (!Array.isArray(given.content) || !given.content.every((one) => isTextContent(one) || isContent(one)))
    return {
      code: "INVALID_OUTPUT",
      message:
        "the content of the Reply is not valid: text needs `text`, an image or a file `data` and `mimeType`",
    };
  const reply = withMaskedFiles(state, given);
  const data = reply.data === undefined ? undefined : copyJson(reply.data, "INVALID_OUTPUT");
  // Of a text that was truncated already, only the part in memory can be checked.
  const isText = data === undefined && reply.truncated?.shape === "text";
  const fault = checkOutput(state, isText ? textOf(reply.content) : data);
  if (fault !== undefined) return fault;
  state.truncated = reply.truncated;
  state.data = data === undefined ? undefined : cutData(state, maskJson(data, maskerOf(state)).data);
  const shape = shapeOf(state);
  if (reply.items !== undefined || shape === "list" || shape === "matches")
    return formatItems(state, reply.items ?? textOf(reply.content).split("\n"), reply);
  const text = cleanText(state, textOf(reply.content));
  if (!fits(text, cutOf(state).over)) return cutReply(state, reply, text);
  state.content = reply.content.map((one, _index, { length }) => {
    if (one.type !== "text") return one;
    const clean = shown(state, length === 1 ? text : cleanText(state, one.text));
    return one.link === undefined ? clean : { ...clean, link: cleanLink(state, one.link) };
  });
  return undefined;
}

function withMaskedFiles(state: CallState, reply: Reply): Reply {
  if (!reply.content.some(({ type }) => type === "file")) return reply;
  const { content, data, items, truncated, place } = reply;
  const masked = content.map((one) => maskFile(state, one));
  return new Reply(masked, defined({ data, items, truncated, place }));
}

/** Masks the name of a file, and the content of a text, which providers write out. */
function maskFile(state: CallState, part: Content): Content {
  if (part.type !== "file") return part;
  const { text: mask } = maskerOf(state);
  const bytes = TEXT_TYPE.test(part.mimeType) ? Buffer.from(part.data, "base64") : undefined;
  const isText = bytes !== undefined && isUtf8(bytes);
  const data = isText ? Buffer.from(mask(bytes.toString())).toString("base64") : part.data;
  return { ...part, data, ...defined({ name: part.name && mask(part.name) }) };
}

/** Of other files, such as a PDF with its table of offsets, a changed one could not be read. */
const TEXT_TYPE = /^text\/|\b(?:json|xml|yaml|javascript)\b/;

function cleanLink(state: CallState, link: ResourceLink): ResourceLink {
  return copyJson(link, "INVALID_OUTPUT", (text) => cleanText(state, text)) as ResourceLink;
}

/** Cleans the items after cutting: of a hundred thousand names only a few hundred are shown. */
async function formatItems(state: CallState, items: readonly string[], reply: Reply): Promise<undefined> {
  const [first = "", ...rest] = items;
  // Only the start of a very long first item is shown: a secret must not be cut before it is masked.
  const isLong = !fits(first, state.engine.cuts.text.over);
  const content = await cutList(state, isLong ? [cleanText(state, first), ...rest] : items, reply);
  // The first text is the output of the tool, the second the notice.
  state.content = content.map((one, index) => {
    if (one.type !== "text") return one;
    const text = cleanText(state, one.text);
    return index === 0 ? shown(state, text) : { type: "text", text };
  });
}

/** Cuts the texts of a reply together; images and files stay unchanged. */
async function cutReply(state: CallState, reply: Reply, text: string): Promise<undefined> {
  const { shown: part, notice, truncated } = await cutText(state, text, { already: reply.truncated });
  const others = reply.content.filter((one) => one.type !== "text");
  state.truncated = truncated;
  state.content = [shown(state, part), { type: "text", text: notice }, ...others];
}

/** Returns a text as the model reads it. An envelope is marked later, as a whole. */
function shown(state: CallState, text: string): Content {
  const isBare = text === "" || state.engine.modelText === "envelope" || !state.isFenced;
  return { type: "text", text: isBare ? text : fence(text, required(state.entry, "tool").tool.source) };
}

/** Cuts data to the same limits as text. */
function cutData(state: CallState, data: Json): Json {
  const shape = shapeOf(state);
  const { maxBytes } = state.options;
  if (maxBytes !== undefined && fits(JSON.stringify(data), maxBytes)) return data;
  if (shape === "list" || shape === "matches") return shortenLists(data, state.engine.cuts[shape]);
  const { over, keep } = cutOf(state);
  return fits(JSON.stringify(data), over) ? data : shrinkJson(data, keep, { keepTail: shape === "log" });
}

/** Returns the error that a tool reports in its output: a non-empty string under `error`, at the top. */
function ownError(data: Json): Fault | undefined {
  if (!isObject(data) || !Object.hasOwn(data, "error")) return undefined;
  const { error, error_code: toolCode } = data;
  if (typeof error !== "string" || error === "") return undefined;
  const code = isErrorCode(toolCode) ? toolCode : "TOOL_FAILED";
  return { code, message: error, details: typeof toolCode === "string" ? { ...data, toolCode } : data };
}

/**
 * Checks data, which is a copy, against the output schema. Properties that the schema does not have are removed: the tool has run, and
 * rows of databases often have some.
 */
function checkOutput(state: CallState, data: Json | undefined): Fault | undefined {
  const entry = required(state.entry, "tool");
  const validator = entry.validators.output;
  let checked = validator?.check(data ?? null);
  while (checked?.ok === false) {
    const unknown = checked.problems.filter(({ kind }) => kind === "unknown");
    if (unknown.length === 0) break;
    for (const { path } of unknown) remove(data ?? null, path);
    checked = validator?.check(data ?? null);
  }
  if (checked === undefined || checked.ok) return undefined;
  const why = "unusable" in checked ? checked.unusable : describeProblems(checked.problems, 0, "output");
  return {
    code: "INVALID_OUTPUT",
    message: `the output of "${entry.tool.name}" does not match its output schema: ${why}`,
  };
}

/** Removes the property at a JSON Pointer. */
function remove(data: Json, path: string): void {
  const keys = keysOf(path) ?? [];
  const parent = keys.slice(0, -1).reduce<Json | undefined>(childOf, data);
  Reflect.deleteProperty(parent as object, keys.at(-1) ?? "");
}

/** A list of texts and content, with content in it: `["the chart:", image(…)]`. */
function isMixed(value: unknown): value is readonly (string | Content)[] {
  if (!Array.isArray(value)) return false;
  let hasContent = false;
  // Unlike `some` and `every`, it stops at a hole: a list with a billion of them takes no memory.
  for (const one of value) {
    if (isContent(one)) hasContent = true;
    else if (typeof one !== "string" && !isTextContent(one)) return false;
  }
  return hasContent;
}

function toContent(piece: string | Content): Content {
  return typeof piece === "string" ? { type: "text", text: piece } : piece;
}

function isTextContent(value: unknown): boolean {
  return isObject(value) && value["type"] === "text" && typeof value["text"] === "string";
}

function isContent(value: unknown): value is Content {
  if (!isObject(value)) return false;
  const { type } = value;
  const carriesData = type === "image" || type === "audio" || type === "file";
  return carriesData && typeof value["data"] === "string" && typeof value["mimeType"] === "string";
}
