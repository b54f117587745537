import type { Progress } from "../../core/context.ts";
import { detach } from "../../util/text/detach.ts";
import { copyJson } from "../../util/json/copy-json.ts";
import type { Masker, MaskedStream } from "../../util/text/mask.ts";

const SHOWN_CHARACTERS = 5 * 1024;
/** More than is shown, so that a secret at the cut is still seen whole when it is masked. */
const KEPT_CHARACTERS = 2 * SHOWN_CHARACTERS;

/** What a tool has told so far; only the tail of it is kept. */
export class Emitted {
  readonly #masker: Masker;
  readonly #streams: { stdout?: MaskedStream; stderr?: MaskedStream } = {};
  #tail = "";

  constructor(masker: Masker) {
    this.#masker = masker;
  }

  /** Remembers the end of what was told, as it came. */
  keep(progress: Progress): void {
    const text = textOf(progress);
    if (text.length >= KEPT_CHARACTERS) this.#tail = detach(text.slice(-KEPT_CHARACTERS));
    else if (this.#tail.length > KEPT_CHARACTERS) this.#tail = this.#tail.slice(-KEPT_CHARACTERS) + text;
    else this.#tail += text;
  }

  /** A progress as others may see it: in pieces, or none where it is held back, as a secret may be under way. */
  mask(progress: Progress): readonly Progress[] {
    if (typeof progress === "string") return [this.#masker.text(progress)];
    if (!("stream" in progress)) return [maskFields(progress, this.#masker)];
    const { stream } = progress;
    const pieces = (this.#streams[stream] ??= this.#masker.stream()).push(progress.text);
    return pieces.map((text) => ({ stream, text }));
  }

  /** What was held back; nothing more comes after it. */
  flush(): readonly Progress[] {
    return (["stdout", "stderr"] as const).flatMap((stream) => {
      const pieces = this.#streams[stream]?.end() ?? [];
      return pieces.map((text) => ({ stream, text }));
    });
  }

  /** The end of what was told, masked, for an answer that was cut short. */
  text(): string {
    return this.#masker.text(this.#tail).slice(-SHOWN_CHARACTERS);
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
