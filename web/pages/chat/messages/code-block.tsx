import { useMemo, type ReactNode } from "react";
import { parse, type ParsedToken } from "sugar-high/core";
import { lang, languages } from "sugar-high/lang";
import { fenceLanguage } from "../../../../src/util/text/fence-language.ts";
import { Code, Copy } from "../../../ui/values/code.tsx";

/** Some languages take time that grows with the square of the length. */
const MAX_CHARACTERS = 20_000;

/** A block of code with the name of its language, its syntax coloured if the language is known, and a button that copies it. */
export function CodeBlock({
  code,
  language,
}: {
  readonly code: string;
  readonly language: string;
}): ReactNode {
  const tokens = useMemo(() => tokensOf(code, language), [code, language]);
  return (
    <div className="code-block">
      <div className="row spread small muted">
        <span>{language}</span>
        <Copy text={code} label="Copy" />
      </div>
      <Code label={language === "" ? "Code" : `Code in ${language}`}>
        {tokens === undefined
          ? code
          : tokens.map(({ type, value }, index) => (
              // oxlint-disable-next-line no-array-index-key -- the tokens of one text have no other name
              <span key={index} className={`syntax-${type}`}>
                {value}
              </span>
            ))}
      </Code>
    </div>
  );
}

/** Returns undefined if the language is not known, the code is long, or the tokens are not the whole of it. */
function tokensOf(code: string, language: string): readonly ParsedToken[] | undefined {
  const id = lang(fenceLanguage(language));
  const config = languages.find((one) => one.id === id)?.config;
  if (config === undefined || code.length > MAX_CHARACTERS) return undefined;
  const lines = parse(code, config).lines.map(({ tokens }) => tokens);
  const all = lines.flatMap((line, index): readonly ParsedToken[] =>
    index === 0 ? line : [{ type: "break", value: "\n" }, ...line],
  );
  return all.map(({ value }) => value).join("") === code ? all : undefined;
}
