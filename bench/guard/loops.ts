import { PassThrough } from "node:stream";
import { createTextReader } from "toolwright/models";
import { serveMcp } from "toolwright/mcp";
import { NESTED, TWO_NUMBERS } from "../cases.ts";
import { createShortJudge } from "../judge.ts";
import { engineWith, floorOf, invalid, serial } from "../line.ts";

/** Runs an operation `count` times. */
export type Loop = (count: number) => Promise<void> | void;

export interface GuardedLoop {
  readonly name: string;
  /** How many operations take about half a millisecond. */
  readonly count: number;
  readonly run: Loop;
}

/** What every loop is compared with: JSON text in → Ajv → function → JSON text out. */
export const FLOOR: GuardedLoop = { name: "floor", count: 100, run: floorOf(NESTED) };

const PROSE =
  "The function reads the file and returns its lines; where it does not exist, an error says so.\n";
const CALL = JSON.stringify({
  name: "write_file",
  arguments: { path: "a.ts", content: "const a = 1;\n".repeat(8) },
});
const REPLY = `${PROSE.repeat(4)}<tool_call>\n${CALL}\n</tool_call>\n`;

/** Opens what the loops need, once for a process. */
export async function openLoops(): Promise<readonly GuardedLoop[]> {
  const two = engineWith(TWO_NUMBERS);
  const nested = engineWith(NESTED);
  const judgeShort = await createShortJudge();
  return [
    { name: "call", count: 200, run: serial(two, TWO_NUMBERS) },
    { name: "nested", count: 50, run: serial(nested, NESTED) },
    { name: "invalid", count: 40, run: invalid(two, TWO_NUMBERS) },
    { name: "judge", count: 30, run: times(judgeShort) },
    { name: "text call", count: 10, run: times(readReply) },
    { name: "gateway", count: 20, run: gatewayLoop() },
  ];
}

/** Returns the loop with a fifth of its operations done twice: a slowdown that the guard must find. */
export function planted(loop: GuardedLoop): GuardedLoop {
  return { ...loop, run: (count) => loop.run(count + Math.round(count / 5)) };
}

function times(work: () => void): Loop {
  return (count) => {
    for (let turn = 0; turn < count; turn += 1) work();
  };
}

function readReply(): void {
  const reader = createTextReader({ dialect: "auto" });
  reader.push(REPLY);
  reader.end("stop");
}

/** Sends a request to a gateway in this process after the answer to the one before, over streams without a pipe. */
function gatewayLoop(): Loop {
  const stdin = new PassThrough();
  const stdout = new PassThrough().setEncoding("utf8");
  serveMcp(engineWith(TWO_NUMBERS), { stdin, stdout });
  let rest = "";
  let answered: (line: string) => void = () => undefined;
  stdout.on("data", (text: string) => {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) answered(line);
  });
  const request = (id: number, method: string, params: object): Promise<string> => {
    stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => {
      answered = resolve;
    });
  };
  const opened = request(0, "initialize", {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "guard", version: "1" },
  });
  let id = 0;
  return async (count) => {
    await opened;
    for (let turn = 0; turn < count; turn += 1) {
      id += 1;
      const answer = await request(id, "tools/call", { name: "work", arguments: { a: 2, b: 3 } });
      if (!answer.includes("sum")) throw new Error(answer);
    }
  };
}
