import { useRef, useState, type ReactNode } from "react";
import { useRead } from "../../../api/queries.ts";
import { bytesOf, plural } from "../../../ui/values/format.ts";
import { Failed, Loading } from "../../../ui/layout/states.tsx";
import { Panel } from "../../../ui/layout/panel.tsx";
import { useSettled } from "../../../ui/address/hooks.ts";

const LENGTH = 32_768;

interface ArtifactProps {
  readonly id: string;
  /** The id of the call whose answer it is. */
  readonly call: string;
}

/** The whole text of an answer that was cut, part by part, with a search over all of it. */
export function ArtifactViewer({ id, call }: ArtifactProps): ReactNode {
  const [start, setStart] = useState(0);
  const [text, setText] = useState("");
  const [isPattern, setPattern] = useState(false);
  const search = useSettled(text);
  const box = useRef<HTMLPreElement>(null);
  const { data, error } = useRead("artifact", { id, start, length: LENGTH, call });
  const goTo = (to: number): void => {
    setStart(Math.max(0, to));
    box.current?.scrollTo(0, 0);
  };
  return (
    <Panel title="Whole answer">
      <div className="row">
        <input
          className="search"
          type="search"
          aria-label="Search in the whole answer"
          placeholder="Search in the whole answer"
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <label className="row">
          <input type="checkbox" checked={isPattern} onChange={({ target }) => setPattern(target.checked)} />
          Regular expression
        </label>
      </div>
      {search !== "" && <Matches id={id} call={call} text={search} isPattern={isPattern} goTo={goTo} />}
      {error !== null && <Failed error={error} />}
      {data === undefined && error === null && <Loading what="the text" />}
      {data !== undefined && (
        <>
          <div className="row spread">
            <span className="small muted">
              {bytesOf(data.start)} to {bytesOf(data.end)} of {bytesOf(data.size)}
              {data.dropped > 0 && `; ${bytesOf(data.dropped)} in the middle were dropped`}
            </span>
            <span className="row">
              <button
                type="button"
                className="button compact"
                disabled={data.start === 0}
                onClick={() => goTo(data.start - LENGTH)}
              >
                Before
              </button>
              <button
                type="button"
                className="button compact"
                disabled={data.end >= data.size}
                onClick={() => goTo(data.end)}
              >
                After
              </button>
            </span>
          </div>
          <pre className="code" ref={box} tabIndex={0} role="region" aria-label="Whole answer">
            {data.text}
          </pre>
        </>
      )}
    </Panel>
  );
}

interface MatchesProps extends ArtifactProps {
  readonly text: string;
  readonly isPattern: boolean;
  readonly goTo: (start: number) => void;
}

function Matches(props: MatchesProps): ReactNode {
  const { id, call, text, isPattern } = props;
  const { data, error } = useRead("searchArtifact", { id, call, text, isPattern });
  if (error !== null) return <Failed error={error} />;
  if (data === undefined) return <Loading what="matches" />;
  return (
    <div>
      <p className="small muted" role="status">
        {plural(data.matches.length, "line")} found
      </p>
      <ul className="list scroll" style={{ maxHeight: "14rem" }}>
        {data.matches.map(({ line, start, text: found }) => (
          <li key={start}>
            <button type="button" className="button plain compact match" onClick={() => props.goTo(start)}>
              <span className="muted">{line}</span> <code className="clip">{found}</code>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
