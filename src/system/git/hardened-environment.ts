/**
 * Settings of git that no config of a repository changes: programs that it would start are off, and a folder that only looks
 * like a bare repository is none.
 */
const SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ["safe.bareRepository", "explicit"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["core.askPass", ""],
  ["credential.interactive", "false"],
  ["protocol.ext.allow", "never"],
  ["submodule.recurse", "false"],
];

/**
 * Returns an environment in which git starts no hook, file system monitor or pager, asks nothing and writes nothing when it
 * only reads. Programs that a config names under names of its own (drivers, filters, aliases) stay: see `findNamedPrograms`.
 */
export function hardenGit(environment: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const count = Number(environment["GIT_CONFIG_COUNT"] ?? 0);
  const first = Number.isInteger(count) && count > 0 ? count : 0;
  const settings = SETTINGS.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${first + index}`, key],
    [`GIT_CONFIG_VALUE_${first + index}`, value],
  ]);
  return {
    ...environment,
    ...Object.fromEntries(settings),
    GIT_CONFIG_COUNT: String(first + SETTINGS.length),
    GIT_OPTIONAL_LOCKS: "0",
    GIT_PAGER: "cat",
    GIT_TERMINAL_PROMPT: "0",
  };
}
