// A server on loopback that answers like a provider: first with two tool calls, one of them wrong, then with text.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface FakeProvider {
  readonly url: string;
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

const NAME = "get_weather";
const BODIES: Readonly<Record<string, readonly [unknown, unknown]>> = {
  openai: [
    {
      choices: [
        {
          message: {
            role: "assistant",
            content: null,
            tool_calls: [
              { id: "call_1", type: "function", function: { name: NAME, arguments: '{"city":"Oslo"}' } },
              { id: "call_2", type: "function", function: { name: "get_wether", arguments: "{}" } },
            ],
          },
        },
      ],
    },
    { choices: [{ message: { role: "assistant", content: "It rains." } }] },
  ],
  "openai-responses": [
    {
      output: [
        { type: "reasoning", id: "rs_1", summary: [] },
        { type: "function_call", call_id: "call_1", name: NAME, arguments: '{"city":"Oslo"}' },
        { type: "function_call", call_id: "call_2", name: NAME, arguments: '{"town":"Oslo"}' },
      ],
    },
    {
      output: [{ type: "message", role: "assistant", content: [{ type: "output_text", text: "It rains." }] }],
    },
  ],
  anthropic: [
    {
      role: "assistant",
      stop_reason: "tool_use",
      content: [
        { type: "text", text: "I shall look." },
        { type: "tool_use", id: "toolu_1", name: NAME, input: { city: "Oslo" } },
        { type: "tool_use", id: "toolu_2", name: NAME, input: {} },
      ],
    },
    { role: "assistant", stop_reason: "end_turn", content: [{ type: "text", text: "It rains." }] },
  ],
  google: [
    {
      candidates: [
        {
          content: {
            role: "model",
            parts: [
              { functionCall: { id: "fn-1", name: NAME, args: { city: "Oslo" } } },
              { functionCall: { name: NAME, args: { city: 7, when: "now" } } },
            ],
          },
        },
      ],
    },
    { candidates: [{ content: { role: "model", parts: [{ text: "It rains." }] } }] },
  ],
};

/** Returns the stream of one answer in OpenAI's chat format: a call of a tool, or a text. */
export function chatStream(answer: string | { readonly name: string; readonly input: object }): string {
  const isText = typeof answer === "string";
  const called = isText ? {} : { name: answer.name, arguments: JSON.stringify(answer.input) };
  const delta = isText
    ? { content: answer }
    : { tool_calls: [{ index: 0, id: `call_${answer.name}`, type: "function", function: called }] };
  const chunks = [
    { index: 0, delta: { role: "assistant", ...delta }, finish_reason: null },
    { index: 0, delta: {}, finish_reason: isText ? "stop" : "tool_calls" },
  ];
  const rest = { id: "1", object: "chat.completion.chunk", created: 1, model: "some-model" };
  const lines = chunks.map((choice) => `data: ${JSON.stringify({ ...rest, choices: [choice] })}\n\n`);
  return `${lines.join("")}data: [DONE]\n\n`;
}

/** Starts the server for one of the formats, or with other answers: texts are sent as streams. */
export async function fakeProvider(
  format: string,
  bodies: readonly unknown[] = BODIES[format] ?? [],
): Promise<FakeProvider> {
  const requests: Record<string, unknown>[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = bodies[requests.length];
      requests.push(JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>);
      const isStream = typeof body === "string";
      response.setHeader("content-type", isStream ? "text/event-stream" : "application/json");
      response.end(isStream ? body : JSON.stringify(body));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
