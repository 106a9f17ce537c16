/** The text of a digest: two words that are sums over the calls, and their number. */
export const digestText = (high: number, low: number, calls: number): string => `${hex(high)}${hex(low)}-${calls}`

/** The digest of all calls that several sources of one pass gave out, from the digest of each. */
export function sumOfDigests(digests: readonly string[]): string {
  let [high, low, calls] = [0, 0, 0]
  for (const digest of digests) {
    high = (high + Number.parseInt(digest.slice(0, 8), 16)) >>> 0
    low = (low + Number.parseInt(digest.slice(8, 16), 16)) >>> 0
    calls += Number(digest.slice(17))
  }
  return digestText(high, low, calls)
}

const hex = (word: number): string => word.toString(16).padStart(8, '0')
