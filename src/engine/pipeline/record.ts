import type { ToolCall } from "../../core/call.ts";
import type { Json } from "../../core/json.ts";
import type { ToolResult } from "../../core/result.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { toFault } from "../../util/json/fault.ts";
import type { Masker } from "../../util/text/mask.ts";
import { given } from "../state/passage.ts";
import type { Passage, StationOutcome } from "../state/passage.ts";

/** Station: the call is in the journal before anything is done about it. */
export function receive(passage: Passage): undefined {
  const { line, call, options } = passage;
  if (line.hears("call.received")) line.send(new ReceivedEvent(call, options.session, line.masker));
  if (line.journal === undefined) return;
  passage.journal = open(passage);
}

/** The input of a call is masked when it is read: most listeners do not. */
class ReceivedEvent {
  readonly type = "call.received";
  readonly callId: string;
  readonly name: string;
  readonly session: string | undefined;
  readonly #input: unknown;
  readonly #masker: Masker;

  constructor(call: ToolCall, session: string | undefined, masker: Masker) {
    this.callId = call.id;
    this.name = call.name;
    this.session = session;
    this.#input = call.input;
    this.#masker = masker;
  }

  get input(): Json {
    return copyJson(this.#input, undefined, this.#masker.text);
  }

  toJSON(): object {
    const { type, callId, name, session, input } = this;
    return { type, callId, name, session, input };
  }
}

/** Station: the journal knows that the tool is about to run; without that it does not run. */
export function recordStart(passage: Passage): StationOutcome | Promise<StationOutcome> {
  if (passage.journal === undefined) return undefined;
  const { tool } = given(passage.entry, "tool");
  return passage.journal.start(tool.effects)?.then(() => undefined);
}

/** Keeps the call's one answer and tells whoever listens. Never rejects. */
export function recordAnswer(passage: Passage, result: ToolResult): undefined | Promise<void> {
  const { line, call } = passage;
  if (line.hears("call.answered")) line.send({ type: "call.answered", callId: call.id, result });
  if (line.journal === undefined) return undefined;
  // The tool has run: its answer is worth more to the caller than an error about the record of it.
  const failed = (error: unknown): void =>
    line.send({ type: "journal.failed", callId: call.id, message: toFault(error).message });
  try {
    return (passage.journal ?? open(passage))?.settle(result)?.then(undefined, failed);
  } catch (error) {
    failed(error);
    return undefined;
  }
}

function open({ line, call, options, startedAt }: Passage): Passage["journal"] {
  if (line.journal === undefined) return undefined;
  const input = copyJson(call.input, undefined, line.masker.text);
  const { id: callId, name } = call;
  return line.journal.receive({ callId, name, input, session: options.session, receivedAt: startedAt });
}
