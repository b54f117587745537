import type { SimpleCommand, Word } from "../../core/command.ts";

/** Subcommands and options of runners after which a command may follow: `lerna exec`, `fab --`, `just -c`, `cmake -E env`. */
const BEFORE_COMMAND =
  /^(?:exec(?:ute)?|run|x|dlx|shell|ssh|unshare|env|watch|--?(?:exec(?:ute)?|command|cmd|shell|call|launch|[cxsE])?)$/;
/** Of git, those that start a program which no table parses. */
const OF_GIT =
  /^(?:remote-ext|merge-index|submodule--helper|for-each-repo|instaweb|daemon|(?:fetch|send)-pack|hook|--config-env=.*)$/;
/** Other programs with subcommands or options that run commands, among many more. */
const TAKE_COMMANDS: ReadonlySet<string> = new Set(
  "aws az gcloud glab gh op doppler mise asdf aws-vault dotenvx".split(" "),
);

/** Returns the index of the word after which the words may be a command; undefined if there is none. */
function startOfCommand(
  program: string | undefined,
  { words }: SimpleCommand,
  isRunner: boolean,
): number | undefined {
  const mayStart = isRunner || TAKE_COMMANDS.has(program ?? "");
  const sign = program === "git" ? OF_GIT : mayStart ? BEFORE_COMMAND : undefined;
  const at = sign === undefined ? -1 : words.findIndex(({ text }, index) => index > 0 && sign.test(text));
  return at < 0 ? undefined : at;
}

/** Returns true if words or variables of a known program may be a command, though no table says where. */
export function mayTakeCommand(
  program: string | undefined,
  command: SimpleCommand,
  isRunner: boolean,
): boolean {
  if (isRunner || command.assignments.length > 0 || TAKE_COMMANDS.has(program ?? "")) return true;
  return startOfCommand(program, command, isRunner) !== undefined;
}

/** Returns the words up to the one after which a command may follow, and later options without a value. */
export function ownWords(
  program: string | undefined,
  command: SimpleCommand,
  isRunner: boolean,
): readonly Word[] {
  const start = startOfCommand(program, command, isRunner) ?? command.words.length;
  return command.words.filter(({ text }, at) => at <= start || /^-[\w-]+$/.test(text));
}
