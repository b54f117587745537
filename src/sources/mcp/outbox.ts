/** Texts that are written in order by whoever takes them out. */
export interface Outbox extends AsyncIterable<string> {
  push(text: string): void;
  /** Nothing more comes; what is waiting is still given out. */
  end(): void;
}

export function createOutbox(): Outbox {
  const waiting: string[] = [];
  let isEnded = false;
  let wake: (() => void) | undefined;
  const stir = (): void => {
    wake?.();
    wake = undefined;
  };
  return {
    push(text) {
      if (isEnded) return;
      waiting.push(text);
      stir();
    },
    end() {
      isEnded = true;
      stir();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        if (waiting.length > 0) yield waiting.splice(0).join("");
        else if (isEnded) return;
        else await new Promise<void>((resolve) => (wake = resolve));
      }
    },
  };
}
