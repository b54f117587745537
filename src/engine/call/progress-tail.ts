import type { Progress } from "../../core/context.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import { detach } from "../../util/text/detach.ts";
import type { Masker, MaskedStream } from "../../secrets/mask.ts";
import { CUT_CONTEXT, maskedPart } from "../../secrets/masked-ends.ts";

const SHOWN_CHARACTERS = 5 * 1024;
const STORED_CHARACTERS = SHOWN_CHARACTERS + CUT_CONTEXT;

/** Stores the end of a tool's progress. */
export class ProgressTail {
  readonly #masker: Masker;
  readonly #streams: { stdout?: MaskedStream; stderr?: MaskedStream } = {};
  #tail = "";

  constructor(masker: Masker) {
    this.#masker = masker;
  }

  add(progress: Progress): void {
    const text = textOf(progress);
    if (text.length >= STORED_CHARACTERS) this.#tail = detach(text.slice(-STORED_CHARACTERS));
    else if (this.#tail.length > STORED_CHARACTERS) this.#tail = this.#tail.slice(-STORED_CHARACTERS) + text;
    else this.#tail += text;
  }

  /** Returns the progress without secrets. Output that may be the start of a secret is held back until more arrives. */
  mask(progress: Progress): readonly Progress[] {
    if (typeof progress === "string") return [this.#masker.text(progress)];
    if (!("stream" in progress)) return [maskFields(progress, this.#masker)];
    const { stream } = progress;
    const pieces = (this.#streams[stream] ??= this.#masker.stream()).push(progress.text);
    return pieces.map((text) => ({ stream, text }));
  }

  /** Returns the output that `mask` held back. Must be the last call. */
  flush(): readonly Progress[] {
    return (["stdout", "stderr"] as const).flatMap((stream) => {
      const pieces = this.#streams[stream]?.end() ?? [];
      return pieces.map((text) => ({ stream, text }));
    });
  }

  /** Returns the end of all progress, masked, for an answer that was cut short. */
  text(): string {
    const start = Math.max(0, this.#tail.length - SHOWN_CHARACTERS);
    return maskedPart(this.#tail, [start, this.#tail.length], this.#masker.find);
  }
}

type Fields = Exclude<Progress, string | { readonly stream: string }>;

function textOf(progress: Progress): string {
  if (typeof progress === "string") return `${progress}\n`;
  if ("stream" in progress) return progress.text;
  return progress.message === undefined ? "" : `${progress.message}\n`;
}

function maskFields(progress: Fields, masker: Masker): Fields {
  const { message, data } = progress;
  return {
    ...progress,
    ...(message === undefined ? {} : { message: masker.text(message) }),
    ...(data === undefined ? {} : { data: copyJson(data, "INVALID_OUTPUT", masker.text) }),
  };
}
