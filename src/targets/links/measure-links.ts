import { MongoClient } from 'mongodb'
import { z } from 'zod'
import { systemClock } from '../../clock.ts'
import { adminCommand } from '../server/admin-command.ts'
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
  /** Null: the members did not tell. */
  readonly achievedMs: number | null
  /**
   * Ping: median of pings through the proxy, less that of pings past it. Heartbeat: the round trip as both members have it,
   * which is a moving average in whole milliseconds, and holds what the other takes to answer.
   */
  readonly by: 'ping' | 'heartbeat'
}

/** A member, by its own address and by the one that everybody else has of it. */
export type LinkedMember = { readonly port: number; readonly host: string; readonly proxy: string }

const mostPings = 21
const fewestPings = 5
/** A link that is so slow that it takes longer gets fewer pings. */
const pingingMs = 3_000
const heartbeats = 2

/** Asks everybody at once, in about as many seconds as two heartbeats take. */
export async function measureLinks(
  links: readonly LinkedPair[],
  members: readonly LinkedMember[],
  heartbeatIntervalMs: number,
  signal: AbortSignal,
): Promise<AchievedLinks> {
  const [pings, beats] = await Promise.all([
    Promise.all(members.map((member, index) => pingMember(member, clientLinkTo(index, links)?.rttMs ?? 0, signal))),
    heartbeatsOf(links, members, heartbeatIntervalMs, signal),
  ])
  const ownCosts = pings.filter((_, member) => !isDelayed(clientLinkTo(member, links) ?? { rttMs: 0 }))
  return {
    ownCostMs: ownCosts[0] ?? null,
    pairs: links.map((link) => {
      const { rttMs, jitterMs, ends } = link
      const [from, to] = ends
      const member = memberOfClient(link)
      return {
        from: nameOfEnd(from),
        to: nameOfEnd(to),
        rttMs,
        jitterMs,
        delayed: isDelayed(link),
        ...(member === undefined
          ? { achievedMs: heartbeatBetween(link, members, beats), by: 'heartbeat' as const }
          : { achievedMs: pings[member] ?? null, by: 'ping' as const }),
      }
    }),
  }
}

/** The member at the other end of a link of the client. Undefined: both ends are members. */
function memberOfClient({ ends: [one, other] }: LinkedPair): number | undefined {
  if (one === 'client') return other === 'client' ? undefined : other
  return other === 'client' ? one : undefined
}

const clientLinkTo = (member: number, links: readonly LinkedPair[]): LinkedPair | undefined =>
  links.find((link) => memberOfClient(link) === member)

/** What pings through the proxy take longer than pings past it, in ms. */
async function pingMember({ host, proxy }: LinkedMember, rttMs: number, signal: AbortSignal): Promise<number> {
  const rounds = Math.max(fewestPings, Math.min(mostPings, Math.floor(pingingMs / Math.max(1, rttMs))))
  const { through, past } = await pingByTurns({ through: proxy, past: host, rounds, signal })
  return middle(through) - middle(past)
}

/** Round trips of pings in ms, to one member by two addresses. What disturbs the one disturbs the other. */
export async function pingByTurns({
  through,
  past,
  rounds,
  signal,
}: {
  readonly through: string
  readonly past: string
  readonly rounds: number
  readonly signal: AbortSignal
}): Promise<{ readonly through: readonly number[]; readonly past: readonly number[] }> {
  await using clientThrough = clientOf(through)
  await using clientPast = clientOf(past)
  // Connecting is not part of it.
  await Promise.all([ping(clientThrough), ping(clientPast)])
  const taken: { readonly through: number[]; readonly past: number[] } = { through: [], past: [] }
  for (let round = 0; round < rounds && !signal.aborted; round++) {
    taken.through.push(await ping(clientThrough))
    taken.past.push(await ping(clientPast))
  }
  return taken
}

const clientOf = (host: string): MongoClient => new MongoClient(`mongodb://${host}/?directConnection=true&maxPoolSize=1`)

async function ping(client: MongoClient): Promise<number> {
  const startMs = systemClock.now()
  await client.db('admin').command({ ping: 1 })
  return systemClock.now() - startMs
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

const setStatus = z.object({ members: z.array(z.object({ name: z.string(), pingMs: z.number().optional() })) })

/** What each member says that its heartbeats take to the others, by their addresses in the set. */
type Heartbeats = readonly ReadonlyMap<string, number>[]

async function heartbeatsOf(
  links: readonly LinkedPair[],
  members: readonly LinkedMember[],
  intervalMs: number,
  signal: AbortSignal,
): Promise<Heartbeats> {
  if (links.every((link) => memberOfClient(link) !== undefined)) return []
  await systemClock.sleep(heartbeats * intervalMs, signal)
  return Promise.all(members.map(({ port }) => heartbeatsOfOne(port)))
}

async function heartbeatsOfOne(port: number): Promise<ReadonlyMap<string, number>> {
  const status = setStatus.parse(await adminCommand(port, { replSetGetStatus: 1 }, 10_000))
  return new Map(status.members.flatMap(({ name, pingMs }) => (pingMs === undefined ? [] : [[name, pingMs] as const])))
}

function heartbeatBetween(
  { ends: [one, other] }: LinkedPair,
  members: readonly LinkedMember[],
  beats: Heartbeats,
): number | null {
  const told = [
    [one, other],
    [other, one],
  ].flatMap(([from, to]) => beats[Number(from)]?.get(members[Number(to)]?.proxy ?? '') ?? [])
  return told.length === 0 ? null : told.reduce((total, value) => total + value, 0) / told.length
}
