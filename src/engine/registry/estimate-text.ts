/** Estimates the tokens of a text, rather too high: by the runs of letters, digits and signs that tokenizers split text into. */
export function estimateText(text: string): number {
  let tokens = 0;
  let kind: Kind = "blank";
  let length = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    const next = kindOf(unit);
    const goesOn = next === kind || (kind === "upper" && next === "lower" && length === 1);
    if (!goesOn) {
      tokens += costOf(kind, length);
      length = 0;
    }
    kind = next;
    length += 1;
  }
  return Math.ceil(tokens + costOf(kind, length));
}

type Kind = "blank" | "lower" | "upper" | "digit" | "sign" | "letter" | "wide";

/** Characters of a run per token, in the usual worst case; each run is at least one token. */
const RUN_OF_A_TOKEN: Readonly<Record<Exclude<Kind, "blank" | "letter" | "wide">, number>> = {
  lower: 4,
  upper: 2,
  digit: 2,
  sign: 2,
};

function costOf(kind: Kind, length: number): number {
  // A single blank is part of the next word.
  if (kind === "blank") return length < 2 ? 0 : 1 + length / 16;
  if (kind === "letter") return length * 0.6;
  if (kind === "wide") return length * 1.25;
  return Math.ceil(length / RUN_OF_A_TOKEN[kind]);
}

function kindOf(unit: number): Kind {
  if (unit >= 97 && unit <= 122) return "lower";
  if (unit === 32 || unit === 9) return "blank";
  if (unit >= 65 && unit <= 90) return "upper";
  if (unit >= 48 && unit <= 57) return "digit";
  if (unit < 128) return "sign";
  // Latin, Greek, Cyrillic, Hebrew and Arabic take less than the scripts after them.
  return unit < 0x800 ? "letter" : "wide";
}
