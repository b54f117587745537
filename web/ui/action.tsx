import type { ReactNode } from "react";
import { Needs, type Right } from "./needs.tsx";

interface ActionProps {
  /** People without this right do not see the button. */
  readonly right: Right;
  /** Further classes, such as `primary` or `compact danger`. */
  readonly look?: string;
  /** For screen readers, if the text alone does not say what it is about. */
  readonly label?: string;
  readonly isOff?: boolean;
  readonly change: { readonly isPending: boolean };
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button that starts a change, for those who have the right; it is disabled while the change is under way. */
export function Action({ right, look = "", label, isOff = false, change, ...rest }: ActionProps): ReactNode {
  return (
    <Needs right={right}>
      <button
        type="button"
        className={`button ${look}`.trim()}
        aria-label={label}
        disabled={isOff || change.isPending}
        {...rest}
      />
    </Needs>
  );
}
