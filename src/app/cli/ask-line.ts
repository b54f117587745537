import { createInterface } from "node:readline/promises";
import { setTimeout as wait } from "node:timers/promises";

/** How long the terminal takes, at most, to hand over what is waiting in it. */
const TYPED_AHEAD_MS = 50;

/** Asks on the terminal and gives the typed line, small and trimmed; undefined on Ctrl-C, Ctrl-D and a closed terminal. */
export async function askLine(
  stdin: NodeJS.ReadStream,
  stderr: NodeJS.WriteStream,
  question: string,
): Promise<string | undefined> {
  await dropTypedAhead(stdin);
  const reader = createInterface({ input: stdin, output: stderr, terminal: true });
  const gone = new AbortController();
  reader.on("SIGINT", () => gone.abort());
  reader.on("close", () => gone.abort());
  try {
    const answer = await reader.question(question, { signal: gone.signal });
    return answer.trim().toLowerCase();
  } catch {
    stderr.write("\n");
    return undefined;
  } finally {
    reader.close();
  }
}

/** What was typed before the question was shown is no answer to it. */
async function dropTypedAhead(stdin: NodeJS.ReadStream): Promise<void> {
  const drop = (): void => undefined;
  stdin.setRawMode(true);
  stdin.on("data", drop);
  await wait(TYPED_AHEAD_MS);
  stdin.off("data", drop);
  stdin.pause();
  stdin.setRawMode(false);
}
