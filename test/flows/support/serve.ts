import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import type { TestContext } from "node:test";
import type { AnswerOf, ApiEvent, BodyOf, RouteName } from "../../../src/app/http/api.ts";
import { startCli, until, type Place } from "./cli.ts";

/** A running `toolwright serve`. */
export interface ServedPlace {
  readonly address: URL;
  readonly token: string;
  readonly pid: number;
  /** Sends a request with the token; returns the status and the body as JSON. */
  send<N extends RouteName>(
    method: string,
    path: string,
    body?: BodyOf<N>,
  ): Promise<{ readonly status: number; readonly body: AnswerOf<N> }>;
  /** Reads the stream of events until the test ends. */
  events(query?: string, lastId?: string): Promise<EventStream>;
  /** Ends the process as Ctrl-C does, and returns its exit code. */
  stop(): Promise<number | null>;
}

export interface EventStream {
  readonly received: (ApiEvent & { readonly eventId: string })[];
  close(): void;
}

/** Starts the server in a process of its own. */
export async function startServe(
  t: TestContext,
  place: Place,
  args: readonly string[] = [],
): Promise<ServedPlace> {
  const running = startCli(place, ["serve", "--port", "0", ...args]);
  t.after(() => running.child.kill("SIGKILL"));
  await until(
    "the address is printed",
    () => /token=\S+\n/.test(running.shown.stdout) || running.child.exitCode !== null,
  );
  const address = new URL(running.shown.stdout.trim());
  const token = address.searchParams.get("token") ?? "";
  return {
    address,
    token,
    pid: running.child.pid ?? 0,
    async send(method, path, body) {
      const response = await fetch(new URL(path, address), {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(method !== "GET" && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as never };
    },
    async events(query = "", lastId = "") {
      const ended = new AbortController();
      t.after(() => ended.abort());
      const headers = { authorization: `Bearer ${token}`, ...(lastId !== "" && { "last-event-id": lastId }) };
      const response = await fetch(new URL(`/api/events${query}`, address), {
        headers,
        signal: ended.signal,
      });
      assert.equal(response.status, 200);
      const received: (ApiEvent & { readonly eventId: string })[] = [];
      void readEvents(response, received).catch(() => undefined);
      await until("the stream is open", () => received.length > 0);
      return { received, close: () => ended.abort() };
    },
    async stop() {
      running.child.kill("SIGTERM");
      return (await running.finished).code;
    },
  };
}

async function readEvents(
  response: Response,
  received: (ApiEvent & { readonly eventId: string })[],
): Promise<void> {
  let text = "";
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += piece;
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      const eventId = /^id: (.*)$/m.exec(block)?.[1] ?? "";
      if (data !== undefined) received.push({ ...(JSON.parse(data) as ApiEvent), eventId });
    }
  }
}

/** Sends a request with exactly these headers, which `fetch` would not. */
export function sendRaw(
  address: URL,
  options: {
    readonly method?: string;
    readonly path: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
  },
): Promise<{
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly text: string;
}> {
  const { method = "GET", path, headers, body } = options;
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      { host: address.hostname, port: address.port, method, path, headers, setHost: !("host" in headers) },
      (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (piece: string) => void (text += piece));
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      },
    );
    sent.on("error", reject);
    sent.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text: "" });
    });
    sent.end(body);
  });
}
