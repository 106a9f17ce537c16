import { placeKey, Stream } from '../../../core/random.ts'

/** One end of a link: a member by its position in the set, or by its name in a cluster, or "client", which is everything else. */
export type End = 'client' | number | `${string}/member${number}`

/** Two ends, whichever of them opens a connection. */
export type Pair = readonly [End, End]

/** The same for both directions. */
export const pairKey = (one: End, other: End): string => [one, other].map(String).toSorted().join('-')

/** "client", or the name that the member has everywhere else. */
export const nameOfEnd = (end: End): string => (typeof end === 'number' ? `member${end}` : end)

type Sides = { readonly from: readonly End[]; readonly to: readonly End[] }

/** Every end of one side with every end of the other, and the position of the second in its list. */
export const createPairs = ({ from, to }: Sides): readonly { readonly ends: Pair; readonly at: number }[] =>
  from.flatMap((one) => to.map((other, at) => ({ ends: [one, other] as const, at })))

/** Below this what the proxy itself costs, and how late timers are, would be most of it. */
export const minRttMs = 0.5

/** A link as a spec asks for it, of one pair. */
export type LinkedPair = {
  /** The client, where it is one of them. */
  readonly from: End
  readonly to: number
  readonly rttMs: number
  /** Maximum by which a round trip is longer at random. */
  readonly jitterMs: number
}

export const isDelayed = ({ rttMs }: Pick<LinkedPair, 'rttMs'>): boolean => rttMs > 0

/** How long the next bytes of a connection are on their way, in ms. */
export type OneWay = () => number

const atOnce: OneWay = () => 0

/**
 * Half of the round trip for each way, and at random up to half of the jitter.
 * @param connection Number of the connection: each has draws of its own.
 */
export function oneWay(links: readonly LinkedPair[], seed: number, from: End, to: End, connection: number): OneWay {
  const link = links.find((one) => pairKey(one.from, one.to) === pairKey(from, to))
  if (link === undefined || !isDelayed(link)) return atOnce
  const { rttMs, jitterMs } = link
  if (jitterMs === 0) return () => rttMs / 2
  const stream = new Stream(placeKey(seed, `links.${nameOfEnd(from)}.${nameOfEnd(to)}`))
  let chunk = 0
  return () => (rttMs + jitterMs * stream.at(chunk++, connection).float()) / 2
}
