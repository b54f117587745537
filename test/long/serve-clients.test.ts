import assert from "node:assert/strict";
import { Agent, request } from "node:http";
import { test } from "node:test";
import { createPlace } from "../flows/support/cli.ts";
import { startServe, type ServedPlace } from "../flows/support/serve.ts";

const CLIENTS = 200;
const CALLS_EACH = 40;
/** The first calls of each open its connection and compile code. */
const WARM_UP = 10;
const CROWD = 1500;

interface Answer {
  readonly status: number;
  readonly retryAfter: string | undefined;
  readonly ms: number;
}

/** Sends one call over a connection of the agent. Rejects if there is no answer. */
function call({ address, token }: ServedPlace, agent: Agent, body: object): Promise<Answer> {
  const beganAt = performance.now();
  const text = JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    "content-length": text.length,
  };
  return new Promise((resolve, reject) => {
    const sent = request(new URL("/api/calls", address), { method: "POST", agent, headers }, (response) => {
      response.resume().on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: response.headers["retry-after"],
          ms: performance.now() - beganAt,
        }),
      );
    });
    sent.on("error", reject).end(text);
  });
}

test("with 200 clients no call fails, and the slowest hundredth takes at most three times as long as the median", async (t) => {
  const place = createPlace(t);
  place.write("notes.txt", "one\n");
  const served = await startServe(t, place);
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  t.after(() => agent.destroy());
  const clientOf = async (): Promise<readonly Answer[]> => {
    const answers: Answer[] = [];
    for (let count = 0; count < CALLS_EACH; count += 1)
      answers.push(await call(served, agent, { name: "read_file", input: { path: "notes.txt" } }));
    return answers.slice(WARM_UP);
  };
  await call(served, agent, { name: "read_file", input: { path: "notes.txt" } });
  const answers = (await Promise.all(Array.from({ length: CLIENTS }, clientOf))).flat();
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const times = answers.map(({ ms }) => ms).toSorted((left, right) => left - right);
  const at = (share: number): number => times[Math.floor(times.length * share)] ?? Number.NaN;
  const text = `p50 ${at(0.5).toFixed(0)} ms, p99 ${at(0.99).toFixed(0)} ms, max ${times.at(-1)?.toFixed(0)} ms`;
  t.diagnostic(`${answers.length} calls: ${text}`);
  assert.ok(at(0.99) <= 3 * at(0.5), text);
});

test("over its limit the server refuses calls with 429 and a time to wait, answers all others, and then serves again", async (t) => {
  const place = createPlace(t);
  const served = await startServe(t, place);
  const agent = new Agent({ keepAlive: true, maxSockets: CROWD });
  t.after(() => agent.destroy());
  const slow = { name: "shell", input: { command: "sleep 2" } };
  const answers = await Promise.all(Array.from({ length: CROWD }, () => call(served, agent, slow)));
  const refused = answers.filter(({ status }) => status === 429);
  assert.ok(refused.length > 0, "none was refused");
  assert.ok(refused.every(({ retryAfter }) => retryAfter === "1"));
  const others = [...new Set(answers.filter((one) => !refused.includes(one)).map(({ status }) => status))];
  assert.deepEqual(others, [200]);
  assert.equal((await call(served, agent, { name: "ls", input: {} })).status, 200);
});
