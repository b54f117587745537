import { ToolError } from "../../../core/errors.ts";
import type { Connection } from "./connect.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import type { Backoff } from "../transport/backoff.ts";
import { createBackoff } from "../transport/backoff.ts";

/** The connection to one server: made when it is needed, and again, after a while, when it is lost. */
export interface Link {
  /**
   * The connection, or a new one. While the server is known to be gone it rejects at once; callers that come together wait for one
   * attempt, and one that gives up does not end it.
   */
  get(signal: AbortSignal): Promise<Connection>;
  /** The connection there is now. */
  current(): Connection | undefined;
  /** Gives up a connection that turned out to be of no use; the next call makes a new one, at once. */
  drop(connection: Connection): void;
  /** Tries again in the background, for as long as it is not closed, whenever the connection is lost or cannot be made. */
  keepUp(): void;
  close(): Promise<void>;
}

export interface LinkOptions {
  readonly open: (signal: AbortSignal) => Promise<Connection>;
  readonly backoff: Backoff;
  /** Called for each connection that was made in the background. */
  readonly onUp: () => void;
}

export function createLink({ open, backoff, onUp }: LinkOptions): Link {
  const closing = new AbortController();
  const retry = createBackoff(backoff);
  let connection: Connection | undefined;
  let attempt: Promise<Connection> | undefined;
  let isKept = false;
  let timer: NodeJS.Timeout | undefined;

  const tryAfter = (waitMs: number): void => {
    if (!isKept || closing.signal.aborted) return;
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
      const why = error instanceof ToolError ? error : new ToolError("UNAVAILABLE", String(error));
      if (!closing.signal.aborted) tryAfter(retry.lose(why));
      throw why;
    } finally {
      attempt = undefined;
    }
  };
  const start = async (): Promise<Connection> => connection ?? (attempt ??= make());
  return {
    async get(signal) {
      closing.signal.throwIfAborted();
      if (connection === undefined && attempt === undefined && retry.waitMs() > 0) throw retry.fault();
      return connection ?? untilAborted(start(), signal);
    },
    current: () => connection,
    drop(dropped) {
      if (connection !== dropped) return;
      connection = undefined;
      void dropped.close().catch(() => undefined);
    },
    keepUp() {
      isKept = true;
      if (retry.waitMs() > 0) tryAfter(retry.waitMs());
    },
    async close() {
      clearTimeout(timer);
      closing.abort(new ToolError("CANCELLED", "the source was closed"));
      // An attempt that succeeds in spite of it is closed like any other.
      await attempt?.catch(() => undefined);
      await connection?.close().catch(() => undefined);
    },
  };
}
