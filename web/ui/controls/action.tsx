import { useState, type ReactNode } from "react";
import type { Right } from "../../api/rights.ts";
import { Needs } from "./needs.tsx";

interface ActionProps {
  /** People without this right do not see the button. */
  readonly right: Right;
  /** Further classes, such as `primary` or `compact danger`. */
  readonly look?: string;
  /** For screen readers, if the text alone does not say what it is about. */
  readonly label?: string;
  readonly isOff?: boolean;
  readonly change: { readonly isPending: boolean };
  /** Asked before the change starts: what it does that cannot be undone. */
  readonly question?: string;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button that starts a change, for those who have the right; it is disabled while the change is under way. */
export function Action({ right, question, ...button }: ActionProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  if (!isAsking || question === undefined)
    return (
      <Needs right={right}>
        <Button {...button} onClick={question === undefined ? button.onClick : () => setAsking(true)} />
      </Needs>
    );
  const answer = (isYes: boolean): void => {
    setAsking(false);
    if (isYes) button.onClick();
  };
  return (
    <span className="row" role="group" aria-label={question}>
      <span className="small">{question}</span>
      <button type="button" className="button compact danger" onClick={() => answer(true)}>
        Yes
      </button>
      <button type="button" className="button compact" onClick={() => answer(false)} autoFocus>
        No
      </button>
    </span>
  );
}

function Button(props: Omit<ActionProps, "right" | "question">): ReactNode {
  const { look = "", label, isOff = false, change, ...rest } = props;
  return (
    <button
      type="button"
      className={`button ${look}`.trim()}
      aria-label={label}
      disabled={isOff || change.isPending}
      {...rest}
    />
  );
}
