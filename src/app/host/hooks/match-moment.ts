import type { HookMoment } from "../../../core/hook.ts";
import { compileGlob } from "../../../util/text/glob-pattern.ts";
import type { HookMatch } from "../../config/hooks/hook-definition.ts";

/** The folders to which path globs are relative. */
export interface MatchPlaces {
  /** Canonical folders that tools may touch. */
  readonly workspace: readonly string[];
  readonly home: string;
}

type Test = (moment: HookMoment) => boolean;

/** Returns a test that is true if all conditions hold at a moment. */
export function matcherOf({ tool, path, risk }: HookMatch, places: MatchPlaces): Test {
  const tests: Test[] = [];
  if (tool !== undefined) {
    const globs = tool.map((glob) => compileGlob(glob));
    tests.push(({ call }) => call !== undefined && globs.some((glob) => glob(call.name)));
  }
  if (path !== undefined) {
    const globs = path.map((glob) => pathMatcher(glob, places));
    tests.push((moment) => pathsOf(moment).some((one) => globs.some((glob) => glob(one))));
  }
  if (risk !== undefined) tests.push((moment) => moment.risk !== undefined && risk.includes(moment.risk));
  return (moment) => tests.every((holds) => holds(moment));
}

/** Returns every path of a call, also one that a command only seems to name: a hook can only tighten. */
function pathsOf({ file, facts = [] }: HookMoment): readonly string[] {
  if (file !== undefined) return [file.path];
  return facts.flatMap((fact) => (fact.kind === "path" ? [fact.path] : []));
}

/** Compiles a glob over absolute paths; one that does not begin with `/` or `~/` is relative to each folder of the workspace. */
export function pathMatcher(glob: string, { workspace, home }: MatchPlaces): (path: string) => boolean {
  const isHome = glob === "~" || glob.startsWith("~/");
  const matches = compileGlob(isHome ? escaped(home) + glob.slice(1) : glob);
  const fromRoot = (path: string): boolean => matches(path.slice(1));
  if (isHome || glob.startsWith("/")) return fromRoot;
  // A glob that matches at any depth also matches outside the workspace.
  const isAnywhere = !glob.includes("/") || glob.startsWith("**/");
  return (path) =>
    (isAnywhere && fromRoot(path)) || workspace.some((folder) => isInside(path, folder, matches));
}

function isInside(path: string, folder: string, matches: (path: string) => boolean): boolean {
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(start) && matches(path.slice(start.length));
}

function escaped(path: string): string {
  return path.replaceAll(/[*?[\]{}\\]/g, "\\$&");
}
