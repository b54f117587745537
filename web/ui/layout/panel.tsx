import type { ReactNode } from "react";
import { linkBeside } from "../address/hooks.ts";

interface PageHeadProps {
  readonly title: ReactNode;
  /** Of its heading; default: 1. */
  readonly level?: 1 | 2;
  readonly about?: ReactNode;
  readonly children?: ReactNode;
}

/** The head of a page: its title, one line about it, and its actions on the right. */
export function PageHead(props: PageHeadProps): ReactNode {
  const Heading = props.level === 2 ? "h2" : "h1";
  return (
    <header className="page-head">
      <div>
        <Heading>{props.title}</Heading>
        {props.about !== undefined && <p>{props.about}</p>}
      </div>
      {props.children !== undefined && <div className="row">{props.children}</div>}
    </header>
  );
}

/** In a window without room for a list beside its entries, the way back to it. */
export function BackLink({ to, children }: { readonly to: string; readonly children: ReactNode }): ReactNode {
  return (
    <a className="back" href={linkBeside(to)}>
      <span aria-hidden="true">‹</span> {children}
    </a>
  );
}

interface PanelProps {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function Panel(props: PanelProps): ReactNode {
  return (
    <section className="panel padded">
      {props.title !== undefined && (
        <div className="row spread">
          <h2>{props.title}</h2>
          {props.actions !== undefined && <div className="row">{props.actions}</div>}
        </div>
      )}
      {props.children}
    </section>
  );
}

/** Names and values, one pair a line; pairs without a value are left out. */
export function Facts({ of }: { readonly of: Readonly<Record<string, ReactNode>> }): ReactNode {
  const pairs = Object.entries(of).filter(
    ([, value]) => ![undefined, null, false, ""].includes(value as never),
  );
  return (
    <dl className="facts">
      {pairs.map(([name, value]) => (
        <div key={name} style={{ display: "contents" }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
