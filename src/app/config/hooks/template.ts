import { ToolError } from "../../../core/errors.ts";
import type { HookMoment } from "../../../core/hook.ts";
import { nearNames } from "../../../util/text/near-names.ts";

/** The placeholders of a template, and their values at a moment. */
const VALUES = {
  "file.path": (moment: HookMoment) => moment.file?.path ?? firstPath(moment),
  "tool.name": ({ call }: HookMoment) => call?.name,
  "call.id": ({ call }: HookMoment) => call?.id,
  session: ({ session }: HookMoment) => session,
} as const;

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;
/** Controls, formats and separators, line breaks among them: a file name must not look like the next line of the prompt. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu;
const MAX_CHARACTERS = 500;

/** Throws on an unknown placeholder, naming the place and the near ones. */
export function checkTemplate(template: string, place: string): void {
  for (const [, placeholder = ""] of template.matchAll(PLACEHOLDER)) {
    const name = placeholder.trim();
    if (isName(name)) continue;
    const known = Object.keys(VALUES);
    const near = nearNames(name, known);
    throw new ToolError("INVALID_INPUT", `${place}: unknown placeholder {{${name}}}`, {
      hint:
        near.length > 0
          ? `did you mean {{${near[0]}}}?`
          : `known: ${known.map((one) => `{{${one}}}`).join(", ")}`,
    });
  }
}

/**
 * Fills a template in one pass. Values are data: placeholders in them are not filled, hidden characters become visible, and
 * long values are cut.
 */
export function renderTemplate(template: string, moment: HookMoment): string {
  return template.replaceAll(PLACEHOLDER, (whole, written: string) => {
    const name = written.trim();
    return isName(name) ? shown(VALUES[name](moment) ?? "(none)") : whole;
  });
}

function shown(value: string): string {
  const cut = value.length > MAX_CHARACTERS ? `${value.slice(0, MAX_CHARACTERS)}…` : value;
  return cut.replaceAll(HIDDEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Returns the file that the call writes, else the first that it reads. */
function firstPath({ facts = [] }: HookMoment): string | undefined {
  const paths = facts.filter((fact) => fact.kind === "path");
  return (paths.find(({ access }) => access === "write") ?? paths[0])?.path;
}

function isName(name: string): name is keyof typeof VALUES {
  return Object.hasOwn(VALUES, name);
}
