import { MongoClient } from 'mongodb'
import { systemClock } from '../../clock.ts'
import { isDelayed, type LinkedPair } from './delays.ts'
import { nameOfEnd } from './pairs.ts'

/** What the links of a set came to, before anything was measured. */
export type AchievedLinks = {
  /** What a round trip through a proxy that adds nothing costs. Null where the client has no such way to a member. */
  readonly ownCostMs: number | null
  readonly pairs: readonly AchievedLink[]
}

export type AchievedLink = {
  /** "client" or "member0". */
  readonly from: string
  readonly to: string
  /** As it was asked for. */
  readonly rttMs: number
  readonly jitterMs: number
  /** False: it asks for so little that nothing is added. */
  readonly delayed: boolean
  /** Median of pings over the link, less that of pings past it. */
  readonly achievedMs: number
}

/** A member, by its own address and by the one that everybody else has of it. */
export type LinkedMember = { readonly host: string; readonly proxy: string }

/** A link, with an address from where its second end is reached as its first end reaches it. */
export type LinkWithDoor = LinkedPair & { readonly door: string }

const mostPings = 101
const fewestPings = 5
/** A link that is so slow that it takes longer gets fewer pings. */
const pingingMs = 3_000

/**
 * Pings over every link. Heartbeats of the members would tell as much of their links, but they keep a moving average in whole
 * milliseconds, which is far too high for as long as the start of the set is in it.
 */
export async function measureLinks(
  links: readonly LinkWithDoor[],
  members: readonly LinkedMember[],
  signal: AbortSignal,
): Promise<AchievedLinks> {
  const added = new Map<LinkedPair, number>()
  const measure = async (link: LinkWithDoor): Promise<void> =>
    void added.set(link, await addedBy(waysOver(link, members), roundsOver(link), signal))
  await Promise.all(links.filter(isDelayed).map(measure))
  // One after the other: they take so little that they would disturb each other.
  for (const link of links) if (!isDelayed(link)) await measure(link)
  const passing = members.find((_, member) => !links.some((link) => delaysClientTo(member, link)))
  return {
    ownCostMs: passing ? await addedBy({ through: passing.proxy, past: passing.host }, mostPings, signal) : null,
    pairs: links.map((link) => ({
      from: nameOfEnd(link.from),
      to: nameOfEnd(link.to),
      rttMs: link.rttMs,
      jitterMs: link.jitterMs,
      delayed: isDelayed(link),
      achievedMs: added.get(link) ?? 0,
    })),
  }
}

const delaysClientTo = (member: number, link: LinkedPair): boolean =>
  isDelayed(link) && link.from === 'client' && link.to === member

/** Two addresses of one member: one over a link, or over nothing but a proxy, and its own. */
type Ways = { readonly through: string; readonly past: string }

/** The client goes its own way, by which it is told apart from members; in the place of a member we use its door. */
function waysOver({ from, to, door }: LinkWithDoor, members: readonly LinkedMember[]): Ways {
  const { host = '', proxy = '' } = members[to] ?? {}
  return { through: from === 'client' ? proxy : door, past: host }
}

const roundsOver = ({ rttMs }: LinkedPair): number =>
  Math.max(fewestPings, Math.min(mostPings, Math.floor(pingingMs / Math.max(1, rttMs))))

async function addedBy(ways: Ways, rounds: number, signal: AbortSignal): Promise<number> {
  const { through, past } = await pingByTurns(ways, rounds, signal)
  return middle(through) - middle(past)
}

/** Round trips of pings in ms, to one member by two addresses. What disturbs the one disturbs the other. */
export async function pingByTurns(
  { through, past }: Ways,
  rounds: number,
  signal: AbortSignal,
): Promise<{ readonly through: readonly number[]; readonly past: readonly number[] }> {
  await using clientThrough = clientOf(through)
  await using clientPast = clientOf(past)
  // Connecting is not part of it.
  await Promise.all([pingOf(clientThrough), pingOf(clientPast)])
  const taken: { readonly through: number[]; readonly past: number[] } = { through: [], past: [] }
  for (let round = 0; round < rounds && !signal.aborted; round++) {
    taken.through.push(await pingOf(clientThrough))
    taken.past.push(await pingOf(clientPast))
  }
  return taken
}

const clientOf = (host: string): MongoClient =>
  new MongoClient(`mongodb://${host}/?directConnection=true&maxPoolSize=1`)

async function pingOf(client: MongoClient): Promise<number> {
  const startMs = systemClock.now()
  await client.db('admin').command({ ping: 1 })
  return systemClock.now() - startMs
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
