import type { ToolResult } from "../../../core/result.ts";
import type { Journal } from "../../../core/store/journal.ts";
import type { ErrorCode } from "../../../core/errors.ts";
import { FILES } from "./scripts.ts";

/** A kind of call: how often it is made, how long it takes, and what may go wrong. */
interface Kind {
  readonly name: string;
  readonly weight: number;
  /** The median of its calls, about. */
  readonly typicalMs: number;
  readonly inputs: readonly Readonly<Record<string, string>>[];
  readonly answer: string | ((input: Readonly<Record<string, string>>) => string);
  readonly faults?: readonly (readonly [code: ErrorCode, message: string, share: number])[];
  /** The share of its calls that a person was asked about. */
  readonly asked?: number;
}

const PATHS = Object.keys(FILES);

const KINDS: readonly Kind[] = [
  {
    name: "read_file",
    weight: 9,
    typicalMs: 3,
    inputs: PATHS.map((path) => ({ path })),
    answer: ({ path = "" }) => FILES[path] ?? "",
    faults: [["INVALID_INPUT", "start_line: the file has fewer than 400 lines", 0.04]],
  },
  {
    name: "grep",
    weight: 5,
    typicalMs: 12,
    inputs: ["DISCOUNT", "TODO", "total\\(", "import .* from"].map((pattern) => ({ pattern })),
    answer: ({ pattern = "" }) => linesWith(new RegExp(pattern)),
  },
  {
    name: "shell",
    weight: 5,
    typicalMs: 900,
    inputs: ["npm test", "git status", "git diff src/cart.ts", "npx tsc --noEmit"].map((command) => ({
      command,
    })),
    answer: "ok 12 - the total has the discount\n",
    faults: [
      ["TOOL_TIMEOUT", "the command ran longer than 120 s", 0.05],
      ["DENIED", "nobody answered within 300 s", 0.08],
    ],
    asked: 0.2,
  },
  {
    name: "edit_file",
    weight: 3,
    typicalMs: 8,
    inputs: [
      { path: "src/cart.ts", old_string: "DISCOUNT = 0.1", new_string: "DISCOUNT = 0.15" },
      { path: "src/prices.ts", old_string: "apple: 1.2", new_string: "apple: 1.3" },
    ],
    answer: "changed 1 line",
    faults: [["DENIED", "declined: keep the old discount until May", 0.15]],
    asked: 0.6,
  },
  {
    name: "web_fetch",
    weight: 2,
    typicalMs: 420,
    inputs: [{ url: "https://example.com/prices.json" }, { url: "https://example.com/rates" }],
    answer: '{"EUR": 1, "USD": 1.08}',
    faults: [["UNAVAILABLE", "example.com answered 503; try again in 30 s", 0.15]],
  },
  { name: "ls", weight: 2, typicalMs: 2, inputs: [{ path: "src" }], answer: "cart.ts\nprices.ts\nshop.ts" },
];

function answerOf({ answer }: Kind, input: Readonly<Record<string, string>>): string {
  return typeof answer === "string" ? answer : answer(input);
}

/** Returns the lines of the demo's files that match, as `grep` does. */
function linesWith(pattern: RegExp): string {
  const matches = Object.entries(FILES).flatMap(([path, text]) =>
    text.split("\n").flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}:${line}\n`] : [])),
  );
  return matches.join("");
}

const SPAN_MS = 22 * 3_600_000;
const MODEL = "demo/opus";

/** Records calls of the last day, more of them by day and in bursts. The same calls every time, but for their times. */
export async function recordCalls(
  journal: Journal,
  { count, now, folder }: { readonly count: number; readonly now: number; readonly folder: string },
): Promise<void> {
  const random = createRandom(7);
  const pool = KINDS.flatMap((kind) => Array.from({ length: kind.weight }, () => kind));
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const times = Array.from({ length: count }, () => {
    const burst = Math.floor(random() * 16) / 16;
    return now - 20 * 60_000 - (1 - Math.min(0.999, burst + random() ** 3 / 16)) * SPAN_MS;
  }).toSorted((left, right) => left - right);
  for (const [index, receivedAt] of times.entries())
    await recordOne(journal, {
      kind: pick(pool),
      index,
      receivedAt: Math.floor(receivedAt),
      random,
      pick,
      folder,
    });
}

interface OneCall {
  readonly folder: string;
  readonly kind: Kind;
  readonly index: number;
  readonly receivedAt: number;
  readonly random: () => number;
  readonly pick: <T>(all: readonly T[]) => T;
}

async function recordOne(
  journal: Journal,
  { kind, index, receivedAt, random, pick, folder }: OneCall,
): Promise<void> {
  const callId = `recorded-${index + 1}`;
  const { name } = kind;
  const tookMs = Math.max(1, Math.round(kind.typicalMs * Math.exp((random() - 0.4) * 2.6)));
  const fault = (kind.faults ?? []).find(([, , share]) => random() < share);
  const isAsked = fault?.[0] === "DENIED" || random() < (kind.asked ?? 0);
  const waitedMs = isAsked ? Math.round(2000 + random() * 40_000) : 0;
  const durationMs = waitedMs + (fault?.[0] === "DENIED" ? 1 : tookMs);
  const usage = {
    model: MODEL,
    inputTokens: Math.round(2000 + random() * 9000),
    outputTokens: Math.round(40 + random() * 400),
    cost: 0.004 + random() * 0.03,
  };
  const input = pick(kind.inputs);
  const text = answerOf(kind, input);
  const entry = journal.receive({
    callId,
    name,
    input,
    session: `demo-${index % 7}`,
    folder,
    usage,
    receivedAt,
  });
  if (fault?.[0] !== "DENIED") await entry.start("none");
  const meta = { startedAt: receivedAt, durationMs, place: "host", attempts: 1, source: "built-in" };
  const common = { callId, name, meta };
  const result =
    fault === undefined
      ? { ...common, ok: true, content: [{ type: "text", text }], data: null }
      : {
          ...common,
          ok: false,
          content: [{ type: "text", text: fault[1] }],
          error: { code: fault[0], message: fault[1] },
        };
  await entry.settle(result as unknown as ToolResult, {
    verdict: {
      kind: isAsked ? "ask" : "allow",
      reason: isAsked ? "it changes files" : "it only reads",
      rule: "demo",
    },
    risk: isAsked ? "medium" : "low",
    ...(isAsked && {
      approval: {
        askedAt: receivedAt + 1,
        answeredAt: receivedAt + 1 + waitedMs,
        approved: fault?.[0] !== "DENIED",
        scope: "once",
      },
    }),
  });
}

/** Numbers that look random and are the same every time. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
