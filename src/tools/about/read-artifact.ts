import { builtIn, ABOUT } from "../shared/built-in-tool.ts";
import { ArtifactsKey, type Artifacts } from "../../core/store/artifacts.ts";
import { Reply } from "../../core/content.ts";
import { integer, object, optional, string } from "../../schema/define/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { SHOWN_TEXT_BYTES } from "../shared/answer-limits.ts";
import { ToolError } from "../../core/errors.ts";
import { runRipgrep } from "../../system/process/ripgrep.ts";

/** Less than an answer may have, so that the part is not cut again. */
const MAX_LENGTH = 9 * 1024;

const input = object({
  id: string("The id from the truncation notice", { min: 1 }),
  start: optional(integer("The first byte to read; default: 0", { min: 0 })),
  length: optional(integer(`The number of bytes; default: ${SHOWN_TEXT_BYTES}`, { min: 1, max: MAX_LENGTH })),
  pattern: optional(
    string("Instead of start and length: a regular expression (Rust syntax); returns matching lines", {
      min: 1,
    }),
  ),
});

/** Reads the full text of a truncated result. */
export function readArtifact(): Tool {
  return builtIn({
    name: "read_artifact",
    description:
      "Reads the full text of a truncated result, by the id in its notice: a part of at most " +
      `${MAX_LENGTH / 1024} KB from start, or with pattern the matching lines.`,
    input,
    ...ABOUT,
    needs: [ArtifactsKey],
    // The source of the text is not known here.
    isUntrusted: true,
    check: ({ start, length, pattern }) =>
      pattern === undefined || (start === undefined && length === undefined)
        ? []
        : [{ kind: "value", path: "/pattern", expected: "either pattern or start and length", got: "both" }],
    attributes: ({ id }) => ({ id }),
    async run({ id, start = 0, length = SHOWN_TEXT_BYTES, pattern }, context) {
      const artifacts = context.get(ArtifactsKey);
      if (pattern !== undefined) return searchArtifact(artifacts, id, pattern, context.signal);
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

/** Returns the matching lines of an artifact with their byte offsets. Uses ripgrep, so that no pattern can hang. */
async function searchArtifact(artifacts: Artifacts, id: string, pattern: string, signal: AbortSignal) {
  if ((await artifacts.info(id)) === undefined) throw unknownArtifact(id);
  const found: { readonly line: number; readonly start: number; readonly text: string }[] = [];
  const { exitCode, errors } = await runRipgrep({
    args: [...FLAGS, `--regexp=${pattern}`, "-"],
    cwd: "/",
    stdin: piecesOf(artifacts, id),
    signal,
    onLine(line) {
      const [, number, start, text] = FOUND.exec(line) ?? [];
      if (text !== undefined) found.push({ line: Number(number), start: Number(start), text });
      return found.length <= MAX_FOUND;
    },
  });
  if (exitCode === 2)
    throw new ToolError("INVALID_INPUT", errors.replace(/^rg: /, ""), { details: { pattern } });
  if (found.length === 0) return new Reply("[no lines match]", { data: { id, matches: [] } });
  const matches = found.slice(0, MAX_FOUND);
  const more = found.length > MAX_FOUND ? [`[truncated: the first ${MAX_FOUND} of more lines]`] : [];
  const lines = matches.map(({ line, start, text }) => `line ${line}, start=${start}: ${text}`);
  return new Reply([...more, ...lines].join("\n"), { data: { id, matches } });
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
