import type { ReactNode } from "react";

/** What stands in place of data that is not there, and what to do about it. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ReactNode;
}): ReactNode {
  return (
    <div className="state">
      <h2>{title}</h2>
      {children !== undefined && <div>{children}</div>}
    </div>
  );
}

export function Loading({ what }: { readonly what: string }): ReactNode {
  return (
    <div className="state" role="status">
      <div className="spinner" aria-hidden="true" />
      <p>Loading {what}…</p>
    </div>
  );
}

export function Failed({
  error,
  retry,
}: {
  readonly error: unknown;
  readonly retry?: () => unknown;
}): ReactNode {
  const { message, hint } = error as { readonly message?: string; readonly hint?: string };
  return (
    <div className="state error" role="alert">
      <h2>{message ?? String(error)}</h2>
      {hint !== undefined && <p>{hint}</p>}
      {retry !== undefined && (
        <button type="button" className="button" onClick={() => void retry()}>
          Try again
        </button>
      )}
    </div>
  );
}
