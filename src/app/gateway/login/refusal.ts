/** Why a request is refused. */
export interface Refusal {
  readonly status: 401 | 403 | 503;
  readonly reason: string;
  /** What is wrong with an access token, as RFC 6750 names it. */
  readonly error?: "invalid_token" | "insufficient_scope";
}
