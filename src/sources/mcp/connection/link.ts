import { ToolError } from "../../../core/errors.ts";
import { errorMessage } from "../../../util/text/error-message.ts";
import type { Connection } from "./connection.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { createBackoff, type Backoff } from "../transport/backoff.ts";

interface LinkOptions {
  readonly open: (signal: AbortSignal) => Promise<Connection>;
  readonly backoff: Backoff;
  /** Called for each connection that was opened in the background. */
  readonly onUp: () => void;
}

/** Creates the connection to one server: opened on demand, and reopened with backoff when it is lost. */
export function createLink({ open, backoff, onUp }: LinkOptions) {
  const closing = new AbortController();
  const retry = createBackoff(backoff);
  let connection: Connection | undefined;
  let attempt: Promise<Connection> | undefined;
  let reconnects = false;
  let timer: NodeJS.Timeout | undefined;

  const tryAfter = (waitMs: number): void => {
    if (!reconnects || closing.signal.aborted) return;
    clearTimeout(timer);
    timer = setTimeout(() => void start().then(onUp, () => undefined), waitMs).unref();
  };
  const follow = async (made: Connection): Promise<void> => {
    connection = made;
    const measure = retry.recover();
    const why = await made.closed;
    if (connection !== made) return;
    connection = undefined;
    measure();
    if (!closing.signal.aborted) tryAfter(retry.lose(why));
  };
  const make = async (): Promise<Connection> => {
    try {
      const made = await open(closing.signal);
      void follow(made);
      return made;
    } catch (error) {
      const why = error instanceof ToolError ? error : new ToolError("UNAVAILABLE", errorMessage(error));
      if (!closing.signal.aborted) tryAfter(retry.lose(why));
      throw why;
    } finally {
      attempt = undefined;
    }
  };
  const start = async (): Promise<Connection> => connection ?? (attempt ??= make());
  return {
    /**
     * Returns the connection, or opens one. Rejects at once during backoff. Concurrent callers share one attempt, and aborting one
     * of them does not end it.
     */
    async get(signal: AbortSignal): Promise<Connection> {
      closing.signal.throwIfAborted();
      if (connection === undefined && attempt === undefined && retry.waitMs() > 0) throw retry.fault();
      return connection ?? untilAborted(start(), signal);
    },
    /** Returns the open connection, if any. */
    current: (): Connection | undefined => connection,
    /** Closes a connection that no longer works; the next `get` opens a new one without waiting. */
    drop(dropped: Connection): void {
      if (connection !== dropped) return;
      connection = undefined;
      void dropped.close().catch(() => undefined);
    },
    /** Reconnects in the background, until closed, whenever the connection is lost or cannot be opened. */
    keepConnected(): void {
      reconnects = true;
      if (retry.waitMs() > 0) tryAfter(retry.waitMs());
    },
    async close(): Promise<void> {
      clearTimeout(timer);
      closing.abort(new ToolError("CANCELLED", "the source was closed"));
      // An attempt that still succeeds is closed too.
      await attempt?.catch(() => undefined);
      await connection?.close().catch(() => undefined);
    },
  };
}
