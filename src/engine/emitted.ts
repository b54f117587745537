import type { Progress } from "../core/context.ts";
import { copyJson } from "./copy-json.ts";
import type { Masker, MaskedStream } from "./mask.ts";

const KEPT_CHARACTERS = 5 * 1024;

/** What a tool has told so far: masked, and only the tail of it kept. */
export class Emitted {
  readonly #masker: Masker;
  readonly #streams: { stdout?: MaskedStream; stderr?: MaskedStream } = {};
  #tail = "";

  constructor(masker: Masker) {
    this.#masker = masker;
  }

  /** Takes one progress; gives it back as others may see it, or nothing where all of it is held back for now. */
  add(progress: Progress): Progress | undefined {
    if (typeof progress === "string") return this.#keep(this.#masker.text(progress), "\n");
    if (!("stream" in progress)) {
      if (progress.message !== undefined) this.#keep(this.#masker.text(progress.message), "\n");
      return maskFields(progress, this.#masker);
    }
    const { stream } = progress;
    const masked = (this.#streams[stream] ??= this.#masker.stream()).push(progress.text);
    if (masked === "") return undefined;
    this.#keep(masked, "");
    return { stream, text: masked };
  }

  /** What was held back because a secret might have been under way; nothing more comes after it. */
  flush(): readonly Progress[] {
    return (["stdout", "stderr"] as const).flatMap((stream) => {
      const text = this.#streams[stream]?.end() ?? "";
      return text === "" ? [] : [{ stream, text: this.#keep(text, "") }];
    });
  }

  /** The end of what was told, for an answer that was cut short. */
  text(): string {
    return this.#tail;
  }

  #keep(text: string, end: string): string {
    const whole = this.#tail + text + end;
    this.#tail = whole.length > 2 * KEPT_CHARACTERS ? whole.slice(-KEPT_CHARACTERS) : whole;
    return text;
  }
}

type Fields = Exclude<Progress, string | { readonly stream: string }>;

function maskFields(progress: Fields, masker: Masker): Fields {
  const { message, data } = progress;
  return {
    ...progress,
    ...(message === undefined ? {} : { message: masker.text(message) }),
    ...(data === undefined ? {} : { data: copyJson(data, "INVALID_OUTPUT", masker.text) }),
  };
}
