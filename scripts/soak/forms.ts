import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import type { SoakCall } from "./calls.ts";

/** Receives the answer to a call. */
export type OnAnswer = (answer: Answer) => void;

interface Answer {
  readonly id: string;
  readonly ok: boolean;
  /** Code and message of the error. */
  readonly fault?: string | undefined;
  /** It failed, and says that it may have had effects. */
  readonly mayHaveRun?: boolean;
}

interface AnswerError {
  readonly code?: string;
  readonly message?: string;
  readonly details?: { readonly mayHaveHadEffects?: boolean; readonly changed?: readonly string[] };
}

/** Reads an answer in the form of an engine. */
function engineAnswer(id: unknown, ok: unknown, error: AnswerError | undefined): Answer {
  const fault = error && `${error.code}: ${error.message}`;
  const { mayHaveHadEffects = false, changed = [] } = error?.details ?? {};
  // A change whose time was over when it was made says so, and names its files.
  return { id: String(id), ok: ok === true, fault, mayHaveRun: mayHaveHadEffects || changed.length > 0 };
}

/** How calls are sent to a program, and how its answers are read. */
export interface Form {
  /** Sends the calls and reads the answers until the program has no more. May reject when the program ends. */
  readonly drive: (child: ChildProcess, calls: readonly SoakCall[], onAnswer: OnAnswer) => Promise<void>;
  /** Whether each call has an answer that says its id. */
  readonly answers: boolean;
}

interface Lines {
  readonly greeting: readonly object[];
  readonly toMessage: (call: SoakCall) => object;
  /** Returns undefined for a message that is no answer. */
  readonly fromMessage: (message: Readonly<Record<string, unknown>>) => Answer | undefined;
}

/** A program that reads and writes lines. */
function lines({ greeting, toMessage, fromMessage }: Lines): Form {
  return {
    answers: true,
    async drive({ stdin, stdout }, calls, onAnswer) {
      for (const message of [...greeting, ...calls.map(toMessage)])
        stdin?.write(`${JSON.stringify(message)}\n`);
      if (stdout === null) return;
      for await (const line of createInterface({ input: stdout })) {
        const answer = fromMessage(JSON.parse(line) as Readonly<Record<string, unknown>>);
        if (answer !== undefined) onAnswer(answer);
      }
    },
  };
}

export const BATCH = lines({
  greeting: [],
  toMessage: ({ id, name, input }) => ({ id, name, input }),
  fromMessage: ({ callId, ok, error }) => engineAnswer(callId, ok, error as AnswerError | undefined),
});

/** What the text of an answer says of a change that was made, or may have been: clients of the gateway get no details. */
const MAY_HAVE_RUN = /may have had effects|the change was made|is changed, but/;

export const GATEWAY = lines({
  greeting: [
    {
      jsonrpc: "2.0",
      id: "greeting",
      method: "initialize",
      params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "soak", version: "1" } },
    },
    { jsonrpc: "2.0", method: "notifications/initialized" },
  ],
  toMessage: ({ id, name, input }) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name, arguments: input },
  }),
  fromMessage({ id, method, result, error }) {
    if (method !== undefined || id === "greeting") return undefined;
    const { isError = false, content = [] } = (result ?? {}) as {
      readonly isError?: boolean;
      readonly content?: readonly { readonly text?: string }[];
    };
    const text = content.map((part) => part.text ?? "").join("\n");
    const ok = error === undefined && !isError;
    return {
      id: String(id),
      ok,
      ...(!ok && {
        fault: error === undefined ? text : JSON.stringify(error),
        mayHaveRun: MAY_HAVE_RUN.test(text),
      }),
    };
  },
});

const CLIENTS = 4;

/** `serve`: clients that send one request after another. */
export const SERVE: Form = {
  answers: true,
  async drive({ stdout }, calls, onAnswer) {
    if (stdout === null) return;
    let address: URL | undefined;
    for await (const line of createInterface({ input: stdout })) {
      address = new URL(line.trim());
      break;
    }
    if (address === undefined) return;
    const headers = {
      authorization: `Bearer ${address.searchParams.get("token")}`,
      "content-type": "application/json",
    };
    const left = [...calls];
    const client = async (): Promise<void> => {
      for (let call = left.shift(); call !== undefined; call = left.shift()) {
        const body = JSON.stringify({ id: call.id, name: call.name, input: call.input });
        const response = await fetch(new URL("/api/calls", address), { method: "POST", headers, body });
        const { ok, error } = (await response.json()) as {
          readonly ok?: boolean;
          readonly error?: AnswerError;
        };
        onAnswer(engineAnswer(call.id, ok, error));
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  },
};

/** `chat`: one message for each call, which the scripted model makes. What it prints has no ids. */
export const CHAT: Form = {
  answers: false,
  async drive({ stdin, stdout }, calls) {
    stdout?.resume();
    stdin?.end(calls.map(() => "go\n").join(""));
    await new Promise((resolve) => stdout?.once("close", resolve));
  },
};
