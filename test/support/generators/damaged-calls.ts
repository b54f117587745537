import type { JsonObject } from "../../../src/core/json.ts";
import type { Piece } from "../../../src/models/text-calls/read/emitter.ts";
import type { KnownTool } from "../../../src/models/text-calls/read/tool-table.ts";
import type { DialectName } from "../../../src/models/text-calls/dialects/dialects.ts";
import { renderCalls } from "../../../src/models/text-calls/write/render.ts";
import { callsOf } from "../models/text-calls.ts";

interface Call {
  readonly name: string;
  readonly input: JsonObject;
}

/** The calls of a damaged text: the first one is damaged, the others must be found. */
const CALLS: readonly [Call, ...Call[]] = [
  {
    name: "read_file",
    input: { path: "src/a.txt", count: 12, flag: true, options: { words: ["x y", "z"], deep: { n: null } } },
  },
  { name: "list_dir", input: { path: "docs/b", all: false } },
  { name: "run_it", input: { command: 'echo "hi" it\'s', note: "b\nc" } },
];

/** The tools of these calls. */
export const DAMAGED_TOOLS: readonly KnownTool[] = CALLS.map(({ name, input }) => ({
  name,
  input: {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(input).map(([key, value]) => [key, { type: typeof value }]),
    ),
    required: Object.keys(input),
  },
}));

/** A text whose first call is damaged. */
export interface Damaged {
  readonly text: string;
  readonly what: string;
  /** Whether the damage is in what opens the first call, up to its name, so that it may look like text. */
  readonly isInOpening: boolean;
  /** Whether the rest of the first call is missing. */
  readonly isCut: boolean;
  /** Whether the second call begins in the line in which the first one ends. */
  readonly isInLine: boolean;
}

/** Returns the text of the calls, where the name of the first call ends, and where the first call ends. */
function textIn(dialect: DialectName): { text: string; nameEnd: number; end: number } {
  const text = renderCalls(dialect, CALLS);
  const [before, next] = [text.slice(0, text.indexOf("read_file")), text.slice(0, text.indexOf("list_dir"))];
  // Calls are numbered in some dialects.
  const isSame = (one = "", other = ""): boolean => one === other || (/\d/.test(one) && /\d/.test(other));
  let length = 0;
  while (length < before.length && isSame(before.at(-1 - length), next.at(-1 - length))) length += 1;
  // Both calls begin in the same way, after what may be the end of another marker.
  const opening = next.slice(next.length - length).replace(/^(?:[|｜]>|>(?=[<\]]))/, "");
  return { text, nameEnd: before.length + "read_file".length, end: next.length - opening.length };
}

/** Damages the first call of a text at every position, in every way. */
export function* damagesIn(dialect: DialectName): Iterable<Damaged> {
  const { text, end, nameEnd } = textIn(dialect);
  for (let at = 0; at < end; at += 1) {
    const [before, after] = [text.slice(0, at), text.slice(at + 1)];
    const place = { isInOpening: at <= nameEnd, isCut: false, isInLine: !text.slice(0, end).endsWith("\n") };
    yield { ...place, text: before + after, what: `${at} is missing` };
    yield { ...place, text: `${before}~${after}`, what: `${at} is replaced` };
    yield { ...place, text: `${before}"${text.slice(at)}`, what: `a quote is inserted at ${at}` };
    // What separates two calls stays.
    const rest = text.slice(text.slice(0, end).replace(/(?:[,;] |\n)$/, "").length);
    yield { ...place, isCut: true, text: before + rest, what: `${at} to ${end} are missing` };
  }
}

/** Dialects whose calls are in one list or on lines of their own: after damage the later ones may be a problem or text, but are shown. */
const SHARED_MARKERS: ReadonlySet<DialectName> = new Set([
  ...([
    "apriel",
    "hunyuan-a13b",
    "jamba",
    "minimax-m1",
    "nemotron",
    "granite3",
    "phi4",
    "sarashina",
  ] as const),
  ...(["command-r7b", "command-r-plus", "apertus", "llama3-json", "mistral-json", "xlam"] as const),
  ...(["fenced-json", "firefunction", "phi4-mini", "pythonic", "llama4-pythonic", "lfm2"] as const),
  ...(["olmo3", "cline", "react"] as const),
]);

/** Dialects without markers: a damaged call may be text. */
const UNMARKED: ReadonlySet<DialectName> = new Set([
  "command-r-plus",
  "llama3-json",
  "xlam",
  "fenced-json",
  "cline",
] as const);

/** Returns what is wrong with the pieces of a damaged text; undefined if nothing is. */
export function wrongIn(
  dialect: DialectName,
  damaged: Damaged,
  pieces: readonly Piece[],
): string | undefined {
  const [first, ...others] = CALLS;
  const found = callsOf(pieces) as readonly Call[];
  const foundTexts = found.map((call) => JSON.stringify(call));
  const isOther = (text: string): boolean => others.some((call) => JSON.stringify(call) === text);
  const unexpected = foundTexts.filter((text) => !isOther(text));
  const call = found.find((_, index) => !isOther(foundTexts[index] ?? ""));
  if (unexpected.length > 1 || (call !== undefined && !isDamaged(call, first, damaged.isCut)))
    return `call with other arguments: ${unexpected.join(" ")}`;
  if (new Set(foundTexts).size < foundTexts.length) return "a call was found twice";
  const problems = pieces.flatMap((piece) => (piece.kind === "problem" ? [piece.text] : []));
  const missing = others.filter((other) => !foundTexts.includes(JSON.stringify(other)));
  const shown = pieces.map((piece) => (piece.kind === "call" ? "" : piece.text)).join("");
  // In the middle of a line of a call that cannot be read, a call may be a part of a value.
  const mayBeInProblem = (name: string): boolean =>
    damaged.isInLine && name === CALLS[1]?.name && problems.some((problem) => problem.includes(name));
  const mayBeMissing = SHARED_MARKERS.has(dialect);
  if (missing.some(({ name }) => !(mayBeMissing && shown.includes(name)) && !mayBeInProblem(name)))
    return `lost: ${missing.map(({ name }) => name).join(", ")}`;
  const mayBeText = damaged.isInOpening || UNMARKED.has(dialect);
  if (call === undefined && problems.length === 0 && !mayBeText) return "the damaged call is text";
  return undefined;
}

/**
 * Returns whether a call is the original one with the same damage: its name or one of its parameters differs in one place. A call that
 * was cut off may lack parameters, which the engine notices, but has none that differs.
 */
function isDamaged(call: Call, original: Call, isCut: boolean): boolean {
  // The engine knows no such tool, and no such parameter.
  if (!CALLS.some(({ name }) => name === call.name) || Object.hasOwn(call.input, "__raw__")) return true;
  const [keys, originalKeys] = [Object.keys(call.input), Object.keys(original.input)];
  const isSame = (key: string, index: number): boolean => {
    const [one, other] = [textOf(call.input[key]), textOf(original.input[originalKeys[index] ?? ""])];
    return isCut
      ? key === originalKeys[index] && one === other
      : differsLittle(key + one, originalKeys[index] + other);
  };
  const isComplete = isCut ? keys.length > 0 : keys.length === originalKeys.length;
  return call.name === original.name && isComplete && keys.every(isSame);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : JSON.stringify(value);
}

/** Returns whether two texts differ in one place, by at most two characters. */
function differsLittle(one: string, other: string): boolean {
  let start = 0;
  while (start < one.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end))
    end += 1;
  return Math.max(one.length, other.length) - start - end <= 2;
}
