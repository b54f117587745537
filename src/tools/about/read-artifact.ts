import { builtIn, ABOUT, valueProblem, namedAs } from "../shared/built-in-tool.ts";
import { ArtifactsKey, type Artifacts } from "../../core/store/artifacts.ts";
import { Reply } from "../../core/content.ts";
import { integer, list, object, oneOf, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { SHOWN_TEXT_BYTES } from "../shared/answer-limits.ts";
import { ToolError } from "../../core/errors.ts";
import { defined } from "../../util/json/defined.ts";
import { runRipgrep } from "../../system/process/ripgrep.ts";

/** Less than an answer may have, so that the part is not cut again. */
const MAX_LENGTH = 9 * 1024;

const input = object({
  id: string("The id from the truncation notice", { min: 1 }),
  start: optional(integer("The first byte to read; default: 0", { min: 0 })),
  length: optional(integer(`The number of bytes; default: ${SHOWN_TEXT_BYTES}`, { min: 1, max: MAX_LENGTH })),
  pattern: optional(
    string("A regular expression (Rust syntax); returns the matching lines from start, without length", {
      min: 1,
    }),
  ),
});

export const READ_ARTIFACT = namedAs(
  "read_artifact",
  input,
  oneOf([
    object({ id: string(), start: integer(), end: integer(), size: integer() }),
    object({
      id: string(),
      matches: list(object({ line: integer(), start: integer(), text: string() })),
      total: integer(),
      next_start: optional(integer()),
    }),
  ]),
);

/** Reads the full text of a truncated result. */
export function readArtifact(): Tool {
  return builtIn({
    ...READ_ARTIFACT,
    description:
      "Reads the full text of a truncated result, by the id in its notice: a part of at most " +
      `${MAX_LENGTH / 1024} KB from start, or with pattern the matching lines from start, their number and how to continue.`,
    ...ABOUT,
    needs: [ArtifactsKey],
    // The source of the text is not known here.
    isUntrusted: true,
    repeatsSession: true,
    check: ({ length, pattern }) =>
      pattern === undefined || length === undefined
        ? []
        : valueProblem("/pattern", "either pattern or length", "both"),
    attributes: ({ id }) => ({ id }),
    async run({ id, start = 0, length = SHOWN_TEXT_BYTES, pattern }, context) {
      const artifacts = context.get(ArtifactsKey);
      if (pattern !== undefined)
        return searchArtifact(artifacts, { id, pattern, from: start, signal: context.signal });
      return read(artifacts, id, start, length);
    },
  });
}

async function read(artifacts: Artifacts, id: string, start: number, length: number): Promise<Reply> {
  const [info, slice] = await Promise.all([artifacts.info(id), artifacts.read(id, start, length)]);
  if (info === undefined || slice === undefined) throw unknownArtifact(id);
  const { text, end, size } = slice;
  const data = { id, start: slice.start, end, size };
  if (text === "")
    return new Reply(`[start=${start} is past the end: the artifact has ${size} bytes]`, { data });
  const rest = end < size ? `; continue with start=${end}` : "";
  const dropped = info.dropped > 0 ? `; ${info.dropped} bytes of the middle were not stored` : "";
  return new Reply(`[bytes ${slice.start} to ${end} of ${size}${rest}${dropped}]\n${text}`, { data });
}

const PIECE_BYTES = 256 * 1024;
const MAX_FOUND = 50;
const MAX_COLUMNS = 300;
const FLAGS = [
  "--text",
  "--line-number",
  "--byte-offset",
  `--max-columns=${MAX_COLUMNS}`,
  "--max-columns-preview",
];
/** Matches a line of ripgrep output: line, byte, text. */
const FOUND = /^(\d+):(\d+):(.*)$/s;

interface ArtifactSearch {
  readonly id: string;
  readonly pattern: string;
  /** The byte from which lines are returned. */
  readonly from: number;
  readonly signal: AbortSignal;
}

type FoundLine = { readonly line: number; readonly start: number; readonly text: string };

/** Returns matching lines of an artifact with their byte offsets, and the number of all. Uses ripgrep, so that no pattern can hang. */
async function searchArtifact(artifacts: Artifacts, { id, pattern, from, signal }: ArtifactSearch) {
  if ((await artifacts.info(id)) === undefined) throw unknownArtifact(id);
  const matches: FoundLine[] = [];
  let [total, before] = [0, 0];
  let next: number | undefined;
  const { exitCode, errors } = await runRipgrep({
    args: [...FLAGS, `--regexp=${pattern}`, "-"],
    cwd: "/",
    stdin: piecesOf(artifacts, id),
    signal,
    onLine(printed) {
      const [, line, start, text] = FOUND.exec(printed.toWellFormed()) ?? [];
      if (text === undefined) return true;
      total += 1;
      if (Number(start) < from) before += 1;
      else if (matches.length < MAX_FOUND) matches.push({ line: Number(line), start: Number(start), text });
      else next ??= Number(start);
      return true;
    },
  });
  if (exitCode === 2)
    throw new ToolError("INVALID_INPUT", errors.replace(/^rg: /, ""), { details: { pattern } });
  const data = { id, matches, total, ...defined({ next_start: next }) };
  if (total === 0) return new Reply("[no lines match]", { data });
  if (matches.length === 0)
    return new Reply(`[no lines match from start=${from}; all ${total} are before it]`, { data });
  const range = `lines ${before + 1} to ${before + matches.length} of the ${total} that match`;
  const notes =
    next !== undefined
      ? [`[truncated: ${range}; continue with start=${next}]`]
      : before > 0
        ? [`[${range}]`]
        : [];
  const lines = matches.map(({ line, start, text }) => `line ${line}, start=${start}: ${text}`);
  return new Reply([...notes, ...lines].join("\n"), { data });
}

async function* piecesOf(artifacts: Artifacts, id: string): AsyncGenerator<string> {
  for (let start = 0; ;) {
    const slice = await artifacts.read(id, start, PIECE_BYTES);
    if (slice === undefined || slice.text === "") return;
    yield slice.text;
    start = slice.end;
  }
}

/** Creates the error for an unknown or expired artifact. */
function unknownArtifact(id: string): ToolError {
  return new ToolError("TOOL_FAILED", `unknown artifact ${JSON.stringify(id)}`, {
    hint: "it may have expired: repeat the call that created it",
    details: { id },
  });
}
