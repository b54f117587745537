import { Lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { useMemo, type ReactNode } from "react";
import { CodeBlock } from "./code-block.tsx";

/** A longer text is shown as it is: nobody reads it with its headings, and it must not hold up the page. */
const MAX_CHARACTERS = 400_000;

interface ProseProps {
  readonly text: string;
  /** Each line of the text is a line of the page, as people write. Default: false. */
  readonly breaks?: boolean;
}

/** Text of a model or a person as Markdown. HTML in it is text, and nothing is loaded from an address in it. */
export function Prose({ text, breaks = false }: ProseProps): ReactNode {
  const tokens = useMemo(
    () => (text.length > MAX_CHARACTERS ? undefined : new Lexer({ gfm: true, breaks }).lex(text)),
    [text, breaks],
  );
  if (tokens === undefined) return <p className="prose plain">{text}</p>;
  return <div className="prose">{children(tokens)}</div>;
}

function children(tokens: readonly Token[] | undefined): readonly ReactNode[] {
  // oxlint-disable-next-line no-array-index-key -- the tokens of one text have no other name
  return (tokens ?? []).map((token, index) => <TokenView key={index} token={token as MarkedToken} />);
}

function TokenView({ token }: { readonly token: MarkedToken }): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return <Heading depth={token.depth}>{children(token.tokens)}</Heading>;
    case "paragraph":
      return <p>{children(token.tokens)}</p>;
    case "list":
      return <List list={token} />;
    case "blockquote":
      return <blockquote>{children(token.tokens)}</blockquote>;
    case "table":
      return <Table table={token} />;
    case "hr":
      return <hr />;
    case "code":
      return <CodeBlock code={token.text} language={/^\S*/.exec(token.lang ?? "")?.[0] ?? ""} />;
    default:
      return <InlineView token={token} />;
  }
}

function InlineView({ token }: { readonly token: MarkedToken }): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{children(token.tokens)}</strong>;
    case "em":
      return <em>{children(token.tokens)}</em>;
    case "del":
      return <del>{children(token.tokens)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "br":
      return <br />;
    case "link":
      return <Link href={token.href}>{children(token.tokens)}</Link>;
    case "image":
      return <Link href={token.href}>{`Image: ${token.text === "" ? token.href : token.text}`}</Link>;
    case "checkbox":
      return <input type="checkbox" checked={token.checked} disabled aria-label="Done" />;
    case "text":
      return token.tokens === undefined ? decoded(token.text) : children(token.tokens);
    case "escape":
      return token.text;
    default:
      return token.raw;
  }
}

/** The message has a heading of the second level. */
function Heading({
  depth,
  children: content,
}: {
  readonly depth: number;
  readonly children: ReactNode;
}): ReactNode {
  const Level = depth === 1 ? "h3" : depth === 2 ? "h4" : depth === 3 ? "h5" : "h6";
  return <Level>{content}</Level>;
}

function List({ list }: { readonly list: Tokens.List }): ReactNode {
  const items = list.items.map((item, index) => (
    // oxlint-disable-next-line no-array-index-key -- the items of one text have no other name
    <li key={index} className={item.task ? "task" : undefined}>
      {children(item.tokens)}
    </li>
  ));
  return list.ordered ? <ol start={list.start === "" ? 1 : list.start}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ table }: { readonly table: Tokens.Table }): ReactNode {
  return (
    <div className="table-box" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {table.header.map((cell, column) => (
              // oxlint-disable-next-line no-array-index-key -- the cells of one text have no other name
              <th key={column} scope="col" className={alignOf(cell)}>
                {children(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, number) => (
            // oxlint-disable-next-line no-array-index-key -- the rows of one text have no other name
            <tr key={number}>
              {row.map((cell, column) => (
                // oxlint-disable-next-line no-array-index-key -- the cells of one text have no other name
                <td key={column} className={alignOf(cell)}>
                  {children(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function alignOf({ align }: Tokens.TableCell): string | undefined {
  return align === null || align === "left" ? undefined : `align-${align}`;
}

/** A link that opens in a page of its own and shows where it goes; of other schemes only the text. */
function Link({
  href,
  children: content,
}: {
  readonly href: string;
  readonly children: ReactNode;
}): ReactNode {
  if (!/^(?:https?|mailto):/i.test(href))
    return (
      <>
        {content} <span className="muted">({href})</span>
      </>
    );
  return (
    <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
      {content}
    </a>
  );
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
};

/** Returns a text with the entities that models write as the characters they stand for. */
function decoded(text: string): string {
  return text.replaceAll(/&(?:#39|amp|lt|gt|quot|apos|nbsp);/g, (entity) =>
    entity === "&#39;" ? "'" : (ENTITIES[entity.slice(1, -1)] ?? entity),
  );
}
