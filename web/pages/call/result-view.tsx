import type { ReactNode } from "react";
import { Badge, Code, Copy, Json, Panel, Tabs, type Result } from "../../ui/index.ts";

/** The answer of a call in both faces: what the model gets, and what programs get. */
export function ResultView({ result }: { readonly result: Result }): ReactNode {
  const text = result.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
  return (
    <Panel title="Result" actions={<Copy text={text} label="Copy text" />}>
      {!result.ok && <Fault fault={result.error} />}
      <Tabs
        label="Faces of the result"
        tabs={[
          { name: "For the model", render: () => <ContentView content={result.content} /> },
          {
            name: "For programs",
            render: () => <Json value={result.ok ? (result.data ?? null) : result.error} label="Data" />,
          },
          { name: "Details", render: () => <Json value={result.meta} label="Details of the run" /> },
        ]}
      />
    </Panel>
  );
}

export function Fault({ fault }: { readonly fault: Extract<Result, { ok: false }>["error"] }): ReactNode {
  return (
    <div className="stack">
      <div className="row">
        <Badge tone={fault.code === "DENIED" ? "warn" : "bad"}>{fault.code}</Badge>
        <span>{fault.message}</span>
      </div>
      {fault.hint !== undefined && <p className="muted">{fault.hint}</p>}
    </div>
  );
}

export function ContentView({ content }: { readonly content: Result["content"] }): ReactNode {
  if (content.length === 0) return <p className="muted">The answer is empty.</p>;
  return content.map((part, index) => {
    const key = `${part.type} ${index}`;
    if (part.type === "text")
      return (
        <Code key={key} label="Text for the model">
          {part.text}
        </Code>
      );
    if (part.type === "image")
      return (
        <img
          key={key}
          src={`data:${part.mimeType};base64,${part.data}`}
          alt="Part of the answer"
          style={{ maxWidth: "100%" }}
        />
      );
    if (part.type === "audio")
      return <audio key={key} controls src={`data:${part.mimeType};base64,${part.data}`} />;
    return (
      <a key={key} download={part.name ?? "file"} href={`data:${part.mimeType};base64,${part.data}`}>
        Download {part.name ?? "the file"} ({part.mimeType})
      </a>
    );
  });
}
