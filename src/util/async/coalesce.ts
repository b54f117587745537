/** Work that runs once for all requests within a time window. */
export interface Coalesced {
  request(): void;
  /** Cancels a pending run and ignores later requests. */
  close(): void;
}

/** Runs `work` `delayMs` after the first request, once for all requests until then. Does not keep the process alive. */
export function coalesce(work: () => void, delayMs: number): Coalesced {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  return {
    request() {
      if (isClosed || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        work();
      }, delayMs).unref();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
