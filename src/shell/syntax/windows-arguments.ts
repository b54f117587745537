import { Buffer } from "node:buffer";
import type { Word } from "../../core/command.ts";

/** What `pwsh`, `powershell` or `cmd` would run. */
interface WindowsArguments {
  readonly texts: readonly Word[];
  readonly commands: readonly [];
  readonly files: readonly Word[];
  readonly given: readonly [];
  readonly doubt: string;
}

/** `-Command` and `/c` take all following arguments, and the latter also what is attached to it. */
const COMMAND = /^(?:[-\u2013-\u2015]c[a-z]*(?::|$)|\/command(?::|$)|(?:\/[a-z:]+)*?\/[ck])(?<attached>.*)/i;
/** Unlike `-ExecutionPolicy`, which may be `-ep` or `-ex`. */
const ENCODED = /^[-\u2013-\u2015/]e(?:$|c|n)/i;
const OPTION = /^[-\u2013-\u2015/]/;

/** Parses the command line of a shell of Windows. It has its own grammar, so that nothing of it is certain. */
export function parseWindowsArguments(name: string, words: readonly Word[]): WindowsArguments {
  const parsed = (texts: readonly Word[], files: readonly Word[] = []): WindowsArguments => ({
    texts: texts.filter(({ text }) => text !== ""),
    files,
    given: [],
    commands: [],
    doubt: "a non-POSIX shell parses its arguments in its own way",
  });
  const at = words.findIndex(({ text }, index) => index > 0 && (COMMAND.test(text) || ENCODED.test(text)));
  const option = words[at];
  if (option !== undefined) {
    const after = words.slice(at + 1);
    if (ENCODED.test(option.text)) return parsed(after.slice(0, 1).map(decode));
    const { attached = "" } = COMMAND.exec(option.text)?.groups ?? {};
    return parsed([joined([{ ...option, text: attached }, ...after])]);
  }
  const operands = operandsOf(words);
  // Operands of Windows PowerShell are a command, those of PowerShell a script.
  if (/^powershell/i.test(name)) return parsed(operands.map((index) => joined(words.slice(index))));
  return parsed(
    [],
    operands.flatMap((index) => words[index] ?? []),
  );
}

/** Returns where the operands may begin: each option may take a value. */
function operandsOf(words: readonly Word[]): readonly number[] {
  const isOption = (index: number): boolean => index > 0 && OPTION.test(words[index]?.text ?? "");
  return words.flatMap((_, index) => {
    if (index === 0 || isOption(index)) return [];
    return index === 1 || isOption(index - 1) || isOption(index - 2) ? [index] : [];
  });
}

function joined(words: readonly Word[]): Word {
  const text = words.map((word) => word.text).join(" ");
  return { text: text.trim(), literal: words.every(({ literal }) => literal) };
}

/** Returns the text of `-EncodedCommand`; what is not Base64 is not known. */
function decode({ text, literal }: Word): Word {
  const isBase64 = literal && /^[A-Za-z0-9+/]+=*$/.test(text);
  return { text: isBase64 ? Buffer.from(text, "base64").toString("utf16le") : text, literal: isBase64 };
}
