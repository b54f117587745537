import type { Artifacts } from "../../core/store/artifacts.ts";
import { Reply } from "../../core/content.ts";
import { ToolError } from "../../core/errors.ts";
import { runRipgrep } from "../../system/process/ripgrep.ts";
import { unknownArtifact } from "./unknown-artifact.ts";

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
export async function searchArtifact(
  artifacts: Artifacts,
  id: string,
  pattern: string,
  signal: AbortSignal,
): Promise<Reply> {
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
