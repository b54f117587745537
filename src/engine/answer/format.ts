import { isUtf8 } from "node:buffer";
import { Reply, type Content, type ResourceLink } from "../../core/content.ts";
import { isErrorCode } from "../../core/errors.ts";
import { isObject, type Json } from "../../core/json.ts";
import type { Fault } from "../../core/result.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { defined } from "../../util/json/defined.ts";
import { maskJson, type MaskedJson } from "../../secrets/mask-json.ts";
import { textOf } from "../../util/text/text-of.ts";
import { required, type CallState, type StageOutcome } from "../call/call-state.ts";
import type { ToolEntry } from "../types/tool-entry.ts";
import { checkOutput } from "./check-output.ts";
import { cleanJson, cleanText, maskerOf, streamMaskerOf } from "./clean-text.ts";
import { cutList, cutOf, cutText, shapeOf, storeWhole } from "./cut.ts";
import { fence } from "./fence.ts";
import { fromBytes } from "./from-bytes.ts";
import { fits, howToRead, LARGE, shortenLists, shrinkJson } from "./truncate.ts";

/** Stage: turns the output into content for the model and data for programs: valid, clean, masked and cut. */
export function format(state: CallState): StageOutcome | Promise<StageOutcome> {
  const { output } = state;
  if (output === undefined) return checkOutput(entryOf(state), undefined);
  if (typeof output === "string") return formatText(state, output);
  if (output instanceof Reply) return formatReply(state, output);
  if (output instanceof Uint8Array) return formatReply(state, fromBytes(output));
  if (isContent(output)) return formatReply(state, new Reply([output]));
  if (isMixed(output)) return formatReply(state, new Reply(output.map(toContent)));
  return formatJson(state, output);
}

function entryOf({ entry }: CallState): ToolEntry {
  return required(entry, "tool");
}

function formatText(state: CallState, output: string): StageOutcome | Promise<StageOutcome> {
  const fault = checkOutput(entryOf(state), output);
  if (fault !== undefined) return fault;
  // Checked already: a reply without data would be checked as null.
  if (isCutByItems(state)) return formatItems(state, output.split("\n"), new Reply(output));
  return output.length > LARGE
    ? cleanLate(state, output).then((text) => showText(state, output, text))
    : showText(state, output, cleanText(state, output));
}

function showText(state: CallState, output: string, text: string): undefined | Promise<undefined> {
  if (!fits(text, cutOf(state).over)) return cutReply(state, new Reply(output), text);
  state.content = [shown(state, text)];
  return undefined;
}

/** Its module is loaded only for answers that need turns of the event loop. */
async function cleanLate(state: CallState, text: string): Promise<string> {
  return (await import("./clean-large.ts")).cleanLarge(state, text);
}

/** Masks a value, a large one in turns of the event loop. */
function masked(state: CallState, value: Json): MaskedJson | Promise<MaskedJson> {
  const isLong = Array.isArray(value) && value.length > MANY;
  const text = isLong ? undefined : JSON.stringify(value);
  if (text !== undefined && text.length <= LARGE) return maskJson(value, maskerOf(state), text);
  return import("./large.ts").then(({ maskLarge }) => maskLarge(value, streamMaskerOf(state), text));
}

/** Items of a list that may take long to write. */
const MANY = 100_000;

function formatJson(state: CallState, output: unknown): StageOutcome | Promise<StageOutcome> {
  const copy = copyJson(output, "INVALID_OUTPUT");
  const own = ownError(copy);
  if (own !== undefined) return own;
  const fault = checkOutput(entryOf(state), copy);
  if (fault !== undefined) return fault;
  const whole = masked(state, copy);
  return whole instanceof Promise ? whole.then((one) => showJson(state, one)) : showJson(state, whole);
}

function showJson(state: CallState, whole: MaskedJson): undefined | Promise<undefined> {
  const { data, text } = withoutLoneSurrogates(whole);
  state.data = data;
  if (Array.isArray(data) && isCutByItems(state) && state.options.maxBytes === undefined)
    return cutItems(state, data, text);
  if (!fits(text, cutOf(state).over)) return cutJson(state, data, text);
  state.content = [shown(state, cleanJson(state, text))];
  return undefined;
}

/** JSON text has an escape in place of a lone surrogate; few texts have one. */
function withoutLoneSurrogates(given: MaskedJson): MaskedJson {
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
  const fault = checkOutput(entryOf(state), isText ? textOf(reply.content) : data);
  if (fault !== undefined) return fault;
  state.truncated = reply.truncated;
  const whole = data === undefined ? undefined : masked(state, data);
  return whole instanceof Promise
    ? whole.then((one) => showReply(state, reply, one))
    : showReply(state, reply, whole);
}

function showReply(state: CallState, reply: Reply, whole: MaskedJson | undefined) {
  state.data = whole && cutData(state, whole.data);
  const shape = shapeOf(state);
  const text = textOf(reply.content);
  if (reply.items !== undefined || shape === "list" || shape === "matches")
    return formatItems(state, reply.items ?? text.split("\n"), reply);
  return text.length > LARGE
    ? cleanLate(state, text).then((clean) => showTexts(state, reply, clean))
    : showTexts(state, reply, cleanText(state, text));
}

/** Shows the texts of a reply, which are clean together, as they are, or cut. */
function showTexts(state: CallState, reply: Reply, text: string): undefined | Promise<undefined> {
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
  return { type: "text", text: isBare ? text : fence(text, entryOf(state).tool.source) };
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
