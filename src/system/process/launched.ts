interface Startable {
  readonly file: string;
  readonly args?: readonly string[];
}

/** Returns the program so that another one starts it: the launcher, whose arguments end with the program and its own. */
export function launched<T extends Startable>(program: T, launcher: readonly string[] = []): T {
  const [file, ...before] = launcher;
  if (file === undefined) return program;
  return { ...program, file, args: [...before, program.file, ...(program.args ?? [])] };
}
