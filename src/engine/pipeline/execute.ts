import { ToolError } from "../../core/errors.ts";
import type { Job } from "../../core/job.ts";
import type { Fault } from "../../core/result.ts";
import type { Limits } from "../../core/spec.ts";
import { isThenable } from "../../util/async/thenable.ts";
import type { Attributes } from "../../core/tool.ts";
import type * as collecting from "./collect.ts";
import { toFault } from "../../util/json/fault.ts";
import { idleMsOf, timeoutMsOf } from "./limits.ts";
import { loadBeside } from "../../util/load-beside.ts";
import type { Masker } from "../../util/text/mask.ts";
import { cancelledError, given } from "../state/passage.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";

/** Station: runs the job. Its deadline frees the caller even when the tool is deaf. */
export function execute(passage: Passage): StationOutcome | Promise<StationOutcome> {
  const { context } = passage;
  const job = given(passage.job, "job");
  passage.attempts += 1;
  if (passage.attempts > 1) context.renew();
  if (passage.line.hears("call.started")) tellStart(passage);
  passage.limits = limitsOf(job);
  context.limitTo(timeoutMsOf(passage));
  let output: unknown;
  try {
    output = given(passage.executor, "executor").execute(job, context);
  } catch (error) {
    // Like one that rejects: what it has told before is not lost.
    return cutShort(passage, toFault(error));
  }
  if (output instanceof Promise) return underDeadline(passage, output);
  if (isAsyncIterable(output)) return underDeadline(passage, loadCollect().collect(output, context));
  if (isThenable(output)) return underDeadline(passage, Promise.resolve(output));
  passage.output = output;
  context.finish();
  return undefined;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

/** Few tools stream what they answer. */
function loadCollect(): typeof collecting {
  return loadBeside(import.meta.url, "./collect") as typeof collecting;
}

function limitsOf({ tool, input }: Job): Limits | undefined {
  return tool.limitsOf === undefined ? tool.limits : { ...tool.limits, ...tool.limitsOf(input) };
}

/** Waits for the tool until its deadline, its idle deadline or a cancel, whichever is first. */
function underDeadline(passage: Passage, running: Promise<unknown>): Promise<StationOutcome> {
  return new Promise((answer) => {
    let state: "running" | "ending" | "answered" = "running";
    let grace: NodeJS.Timeout | undefined;
    const settle = (outcome: StationOutcome): void => {
      state = "answered";
      clearTimeout(grace);
      passage.context.watch?.stop();
      stopListening();
      answer(outcome);
    };
    const end = (reason: ToolError): void => {
      if (state !== "running") return;
      state = "ending";
      passage.context.abort(reason);
      // A tool that dies at once may still tell how far it came; a deaf one is not waited for.
      grace = setTimeout(() => settle(cutShort(passage, toFault(reason))), passage.limits?.graceMs ?? 0);
    };
    const stopListening = passage.onCancel(() => end(cancelledError()));
    passage.context.watch = passage.line.deadlines.watch({
      endsAt: passage.context.deadlineAt,
      idleMs: idleMsOf(passage),
      onEnd: (kind) => end(timeoutError(passage, kind)),
    });
    running.then(
      (value) => {
        if (state === "answered") return tellLate(passage);
        if (state === "ending") return settle(cutShort(passage, endFault(passage)));
        passage.output = value;
        passage.context.finish();
        return settle(undefined);
      },
      (error: unknown) => {
        if (state === "answered") return tellLate(passage);
        if (state === "ending") return settle(cutShort(passage, endFault(passage, error)));
        return settle(cutShort(passage, toFault(error)));
      },
    );
    if (passage.cancelled) end(cancelledError());
  });
}

/** The reason why the call was ended, with what the tool could still tell about itself. */
function endFault({ context }: Passage, error?: unknown): Fault {
  const reason = toFault(context.signal.reason);
  if (!(error instanceof ToolError)) return reason;
  const { hint, details } = toFault(error);
  return { ...reason, ...(hint !== undefined && { hint }), ...(details !== undefined && { details }) };
}

/** Adds what was emitted before the end, unless the tool itself told what it had printed. */
function cutShort({ context }: Passage, fault: Fault): Fault {
  const emitted = context.finish();
  if (emitted === "" || fault.details?.["stdout"] !== undefined) return fault;
  return { ...fault, details: { ...fault.details, emitted } };
}

function timeoutError(passage: Passage, kind: "deadline" | "idle"): ToolError {
  const ms = kind === "deadline" ? timeoutMsOf(passage) : (idleMsOf(passage) ?? 0);
  const name = passage.call.name;
  const seconds = `${Number((ms / 1000).toFixed(3))} s`;
  return kind === "deadline"
    ? new ToolError("TOOL_TIMEOUT", `"${name}" passed its deadline of ${seconds}`)
    : new ToolError("TOOL_TIMEOUT", `"${name}" told nothing for ${seconds}`);
}

function tellStart(passage: Passage): void {
  const { line, call, attempts } = passage;
  const attributes = attributesOf(passage);
  const event = { type: "call.started", callId: call.id, name: call.name, attempt: attempts } as const;
  line.send(attributes === undefined ? event : { ...event, attributes });
}

/** They are for whoever listens: a call does not fail for want of them. */
function attributesOf({ job, line }: Passage): Attributes | undefined {
  try {
    const attributes = job?.tool.attributes?.(job.input);
    return attributes === undefined ? undefined : capped(attributes, line.masker);
  } catch {
    return undefined;
  }
}

const MAX_ATTRIBUTE_CHARACTERS = 256;

function capped(attributes: Attributes, masker: Masker): Attributes {
  const entries = Object.entries(attributes).map(([name, value]) => {
    return [name, typeof value === "string" ? masker.text(value).slice(0, MAX_ATTRIBUTE_CHARACTERS) : value];
  });
  return Object.fromEntries(entries) as Attributes;
}

function tellLate({ line, call }: Passage): void {
  line.send({ type: "call.returned_late", callId: call.id, name: call.name });
}
