/** Times after this one are none of a Date. */
const LATEST = 8.64e15;

/** Returns the times that an address names, milliseconds since 1970; what is no time counts as absent. */
export function timeRangeOf(from: string, to: string): { readonly from?: number; readonly to?: number } {
  const [first, last] = [from, to].map((text) => (/^\d{1,16}$/.test(text) ? Number(text) : Number.NaN));
  return {
    ...(first !== undefined && first <= LATEST && { from: first }),
    ...(last !== undefined && last <= LATEST && { to: last }),
  };
}
