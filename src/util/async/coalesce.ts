/** Something that is done soon after it was first asked for, once for all who ask in between. */
export interface Coalesced {
  ask(): void;
  /** Nothing is done from now on. */
  close(): void;
}

/** Does the work once for all who ask within the time; never keeps the process alive. */
export function coalesce(work: () => void, withinMs: number): Coalesced {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  return {
    ask() {
      if (isClosed || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        work();
      }, withinMs).unref();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
