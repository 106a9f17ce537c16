import { systemClock } from '../../../core/clock.ts'
import { createLastingConnection, type LastingConnection } from '../../../protocol/wire/run-command.ts'
import { plainSettings } from '../../../protocol/wire/settings.ts'
import { type AchievedLinks } from '../../../results/schema/servers.ts'
import { isDelayed, type LinkedPair, minRttMs, nameOfEnd } from './delays.ts'

/** A member, by its own address and by the address that all others use. */
export type LinkedMember = { readonly host: string; readonly proxy: string }

/** A link, with an address from where its second end is reached as its first end reaches it. */
export type LinkWithDoor = LinkedPair & { readonly door: string }

const maxPings = 101
const minPings = 5
/** A link that is so slow that it takes longer gets fewer pings. */
const pingingMs = 3_000
/** Links that are faster would disturb each other. */
const alongsideMs = 5

/**
 * Pings over every link. Heartbeats of the members would show as much of their links, but they keep a moving average in whole
 * milliseconds, which is far too high for as long as the start of the set is in it.
 */
export async function measureLinks(
  links: readonly LinkWithDoor[],
  members: readonly LinkedMember[],
  signal: AbortSignal,
): Promise<AchievedLinks['pairs']> {
  const added = new Map<LinkedPair, number>()
  const measure = async (link: LinkWithDoor): Promise<void> =>
    void added.set(link, await addedBy(waysOver(link, members), signal, roundsOver(link)))
  await Promise.all(links.filter(({ rttMs }) => rttMs >= alongsideMs).map(measure))
  for (const link of links) if (link.rttMs < alongsideMs) await measure(link)
  return links.map((link) => ({
    from: nameOfEnd(link.from),
    to: nameOfEnd(link.to),
    rttMs: link.rttMs,
    jitterMs: link.jitterMs,
    delayed: isDelayed(link),
    achievedMs: added.get(link) ?? 0,
  }))
}

/** Two addresses of one member: one over a link, or over nothing but a proxy, and its own. */
type Ways = { readonly through: string; readonly past: string }

/** The client goes its own way, which distinguishes it from members; in the place of a member we use its door. */
function waysOver({ from, to, door }: LinkWithDoor, members: readonly LinkedMember[]): Ways {
  const { host = '', proxy = '' } = members[to] ?? {}
  return { through: from === 'client' ? proxy : door, past: host }
}

const roundsOver = ({ rttMs }: LinkedPair): number =>
  Math.max(minPings, Math.min(maxPings, Math.floor(pingingMs / Math.max(1, rttMs))))

async function addedBy(ways: Ways, signal: AbortSignal, rounds: number): Promise<number> {
  const { through, past } = await pingByTurns(ways, rounds, signal)
  return quantile(through, 0.5) - quantile(past, 0.5)
}

/** Cost of a round trip through a proxy that adds nothing, in ms. */
type OwnCost = {
  readonly medianMs: number
  /** Cost by the fastest pings: a set that has only just formed keeps the machine busy, which must not shorten the delays of a whole run. */
  readonly quietMs: number
}

/** Measures the round-trip time in ms that a proxy without a delay adds, from pings through it and past it. */
export async function measureOwnCost(ways: Ways, signal: AbortSignal): Promise<OwnCost> {
  const { through, past } = await pingByTurns(ways, maxPings, signal)
  const quietMs = quantile(through, 0) - quantile(past, 0)
  return {
    medianMs: quantile(through, 0.5) - quantile(past, 0.5),
    quietMs: Math.max(0, Math.min(quietMs, minRttMs / 2)),
  }
}

/** Round trips of pings in ms, to one member by two addresses. What disturbs the one disturbs the other. */
export async function pingByTurns(
  { through, past }: Ways,
  rounds: number,
  signal: AbortSignal,
): Promise<{ readonly through: readonly number[]; readonly past: readonly number[] }> {
  using connectionThrough = createLastingConnection(plainSettings(through))
  using connectionPast = createLastingConnection(plainSettings(past))
  // Connecting is not part of it.
  await Promise.all([pingOver(connectionThrough), pingOver(connectionPast)])
  const taken: { readonly through: number[]; readonly past: number[] } = { through: [], past: [] }
  for (let round = 0; round < rounds && !signal.aborted; round++) {
    taken.through.push(await pingOver(connectionThrough))
    taken.past.push(await pingOver(connectionPast))
  }
  return taken
}

async function pingOver(connection: LastingConnection): Promise<number> {
  const startMs = systemClock.now()
  await connection.command({ ping: 1 })
  return systemClock.now() - startMs
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length * share)] ?? 0
}
