import { randomUUID } from "node:crypto";
import type { Progress } from "../../../core/context.ts";
import { runCall } from "../../../remote/run-call.ts";
import { FLAT_RESULT, toFlatResult } from "../../../remote/tool-result.ts";
import { REMOTE_JOB, toEvent } from "../../../remote/wire.ts";
import { createDocumentParser } from "../../../schema/parse-document.ts";
import { defined } from "../../../util/json/defined.ts";
import { sessionFor, type Caller } from "../../host/people/caller.ts";
import { endSessionWith } from "./end-session-with.ts";
import type { ServedEngine } from "../server/served.ts";

const parse = createDocumentParser(REMOTE_JOB, { name: "the request" });

/**
 * Runs a call in the form of the tool server, `{tool, params}`, through the whole pipeline: policy judges it, and a person may have to
 * approve it. The answer is one JSON document, or events for a client that accepts them. A client that leaves cancels the call.
 */
export async function execute(
  { engine, session, running, slots }: ServedEngine,
  { subject, ceilings, ended }: Caller,
  request: Request,
  body: unknown,
): Promise<Response> {
  const sent = { id: randomUUID(), session, ...parse(body) };
  const call = { ...sent, session: sessionFor(subject, sent.session) };
  const stop = running.start(call.id, subject?.id);
  endSessionWith(ended, engine, call.session);
  const signal = AbortSignal.any([stop, request.signal, ...(ended === undefined ? [] : [ended])]);
  const run = (onProgress?: (progress: Progress) => void) =>
    slots
      .use(
        (slot) => runCall(engine, call, { signal, slot, ceilings, ...defined({ onProgress, subject }) }),
        signal,
      )
      .finally(() => running.end(call.id, subject?.id));
  const accept = request.headers.get("accept") ?? "";
  if (!accept.includes("text/event-stream")) {
    const result = await run();
    return Response.json(accept.includes(FLAT_RESULT) ? toFlatResult(result) : result);
  }
  const events = new TransformStream<string, Uint8Array>({
    transform: (text, controller) => controller.enqueue(new TextEncoder().encode(text)),
  });
  const writer = events.writable.getWriter();
  const send = (text: string): void => void writer.write(text).catch(() => undefined);
  void run((progress) => send(toEvent("progress", progress))).then((result) => {
    send(toEvent("result", result));
    return writer.close().catch(() => undefined);
  });
  return new Response(events.readable, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store" },
  });
}
