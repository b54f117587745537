import { oneAtATime } from "../../util/async/one-at-a-time.ts";

/** Says which streams of calls and answers there are: streams that are made anew under the same names have another identity. */
export type StreamIdentity = Awaited<ReturnType<typeof openIdentity>>;

/** Asks the servers for the identity with `request`, now and when it is to be confirmed. */
export async function openIdentity(
  { calls, answers }: { readonly calls: string; readonly answers: string },
  request: (subject: string) => Promise<unknown>,
) {
  /** Returns when a stream was created, to the nanosecond. The servers set it, nobody else. */
  const createdOf = async (stream: string): Promise<string> => {
    const info = await request(`$JS.API.STREAM.INFO.${stream}`);
    return (info as { readonly created: string }).created;
  };
  const ask = async (): Promise<string> => (await Promise.all([calls, answers].map(createdOf))).join(" ");
  let known = await ask();
  let confirmedAt = performance.now();
  const { run } = oneAtATime(async (): Promise<string | undefined> => {
    try {
      known = await ask();
      confirmedAt = performance.now();
      return known;
    } catch {
      return undefined;
    }
  });
  return {
    /** Returns the identity that the servers confirmed last. */
    known: (): string => known,
    /** Returns how many milliseconds ago that was. */
    age: (): number => performance.now() - confirmedAt,
    /** Returns the identity at a time after this call, or undefined if the servers do not answer. Many calls are one request. */
    confirm: run,
  };
}
