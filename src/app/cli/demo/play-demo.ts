import { setTimeout as wait } from "node:timers/promises";
import { WAITING } from "./scripts.ts";

export interface PlayedSession {
  readonly task: string;
  readonly model: string;
}

/** Makes the sessions and the waiting calls of the demo, through the API of its server. Ends early with the demo; never rejects. */
export async function playDemo(
  address: URL,
  { models: sessions, workers }: { readonly models: readonly PlayedSession[]; readonly workers: number },
  signal: AbortSignal,
): Promise<void> {
  const token = address.searchParams.get("token") ?? "";
  const send = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fetch(new URL(path, address), {
      method,
      signal,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Answer;
  };
  try {
    for (const call of WAITING) await send("POST", "/api/calls", { ...call, wait: false });
    await untilWorkersTakeCalls(send, workers, signal);
    await Promise.all(sessions.map((session) => play(send, session, signal)));
  } catch {
    // The demo ended, or its server did: the console says so.
  }
}

interface Answer {
  readonly id?: string;
  readonly isBusy?: boolean;
  readonly workers?: readonly unknown[];
}

type Send = (method: string, path: string, body?: object) => Promise<Answer>;

const POLL_MS = 250;

/** The demo goes on without them, if they do not start within this time. */
const WORKERS_MS = 20_000;

async function untilWorkersTakeCalls(send: Send, count: number, signal: AbortSignal): Promise<void> {
  const latest = performance.now() + WORKERS_MS;
  if (count === 0) return;
  while (performance.now() < latest) {
    const { workers = [] } = await send("GET", "/api/fleet");
    if (workers.length >= count) return;
    await wait(POLL_MS, undefined, { signal });
  }
}

/** Runs a session to its end, and closes it: it stays stored. */
async function play(send: Send, { task, model }: PlayedSession, signal: AbortSignal): Promise<void> {
  const { id = "" } = await send("POST", "/api/chats", { model });
  await send("POST", `/api/chats/${id}/messages`, { text: task });
  do await wait(POLL_MS, undefined, { signal });
  while ((await send("GET", `/api/chats/${id}`)).isBusy === true);
  await send("DELETE", `/api/chats/${id}`);
}
