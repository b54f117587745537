/** The request that stays open, and carries notifications. */
export const LISTEN = "subscriptions/listen";
