import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import type { TestContext } from "node:test";
import type { AnswerOf, ApiEvent, BodyOf, RouteName } from "../../../src/app/http/api.ts";
import { startCli, startRun, until, type Place, type RunningHere } from "./cli.ts";

/** A running `toolwright serve`. */
export interface ServedPlace {
  readonly address: URL;
  readonly token: string;
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

/** Starts the server in the process of the test: loading the program once more costs more than most tests. */
export async function startServe(
  t: TestContext,
  place: Place,
  args: readonly string[] = [],
): Promise<ServedPlace> {
  return serve(t, startRun(place, ["serve", "--port", "0", ...args]));
}

/** Starts the server in a process of its own, which gets the signal TERM at its end. */
export async function startServeProcess(
  t: TestContext,
  place: Place,
  args: readonly string[] = [],
): Promise<ServedPlace> {
  const { child, finished, shown } = startCli(place, ["serve", "--port", "0", ...args]);
  return serve(t, { finished, shown, terminate: () => void child.kill("SIGTERM") });
}

async function serve(t: TestContext, { finished, shown, terminate }: RunningHere): Promise<ServedPlace> {
  t.after(() => {
    terminate();
    return finished;
  });
  let hasEnded = false;
  void finished.then(() => (hasEnded = true));
  await until("the address is printed", () => /token=\S+\n/.test(shown.stdout) || hasEnded);
  if (hasEnded) throw new Error(`the server has ended: ${shown.stderr}`);
  const address = new URL(shown.stdout.trim());
  const token = address.searchParams.get("token") ?? "";
  return {
    address,
    token,
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
      terminate();
      return (await finished).code;
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
