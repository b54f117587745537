import { execFile } from "node:child_process";
import type { Variables } from "../../config/environment.ts";
import { findProgram } from "../../../system/box/find-program.ts";

/** The user may have to unlock the keyring first. */
const ANSWER_MS = 30_000;

/** The keyring of the system. A keyring that does not answer has no key and stores none. */
export interface Keyring {
  readonly read: (variable: string) => Promise<string | undefined>;
  /** Returns whether the key is stored. */
  readonly write: (variable: string, key: string) => Promise<boolean>;
  /** Returns whether the key is gone. */
  readonly remove: (variable: string) => Promise<boolean>;
}

/** Returns the keyring that `secret-tool` of libsecret reaches; undefined without that program, or without a session of a desktop. */
export function findKeyring(variables: Variables): Keyring | undefined {
  const program = findProgram("secret-tool", variables["PATH"] ?? "");
  if (program === undefined || !variables["DBUS_SESSION_BUS_ADDRESS"]) return undefined;
  const run = (args: readonly string[], input = ""): Promise<string | undefined> =>
    outputOf([program, ...args], { variables, input });
  const named = (variable: string): readonly string[] => ["service", "toolwright", "variable", variable];
  const read = async (variable: string): Promise<string | undefined> =>
    (await run(["lookup", ...named(variable)])) || undefined;
  return {
    read,
    async write(variable, key) {
      // On standard input: other users see the arguments of a process.
      await run(["store", `--label=Toolwright: ${variable}`, ...named(variable)], key);
      return (await read(variable)) === key;
    },
    async remove(variable) {
      return (await run(["clear", ...named(variable)])) !== undefined && (await read(variable)) === undefined;
    },
  };
}

/** Returns what a program prints; undefined if it fails. */
function outputOf(
  [program, ...args]: readonly [string, ...string[]],
  { variables, input }: { readonly variables: Variables; readonly input: string },
): Promise<string | undefined> {
  const options = { env: { ...variables }, timeout: ANSWER_MS } as const;
  return new Promise((resolve) => {
    const child = execFile(program, args, options, (error, output) =>
      resolve(error === null ? output : undefined),
    );
    // A program that ends before it reads is reported by its exit code.
    child.stdin?.on("error", () => undefined).end(input);
  });
}
