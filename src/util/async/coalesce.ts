/** Work that runs once for all requests within a time window. */
export type Coalesced = ReturnType<typeof coalesce>;

/** Runs `work` `delayMs` after the first request, once for all requests until then. Does not keep the process alive. */
export function coalesce(work: () => void, delayMs: number) {
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  return {
    request(): void {
      if (isClosed || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        work();
      }, delayMs).unref();
    },
    /** Cancels a pending run and ignores later requests. */
    close(): void {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
