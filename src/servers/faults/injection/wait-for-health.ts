import { type Document } from 'bson'
import { type Clock } from '../../../core/clock.ts'
import { type KnownServer, parseSetName } from '../choose-servers.ts'
import { type FaultyServer } from '../fault.ts'

const maxMs = 120_000
const pollMs = 100
/** How long one try to reach a majority may take. */
const noteMs = 2_000

/** The clock, abort signal and known servers of a wait for a healthy deployment. */
export type HealthContext = {
  readonly clock: Clock
  /** Aborts: the answer is not needed any more. */
  readonly signal: AbortSignal
  /** Servers as the watch knows them. */
  readonly known: () => readonly KnownServer[]
  /** Whether the set may lack members by its spec, and a majority with them. */
  readonly lacksMembers: boolean
}

/**
 * Waits after the last fault until every set has one primary, all of its members are at work, and a write of now has reached
 * a majority and then every member: one that had gone its own way has rolled it back by then.
 * @returns what is still wrong in the end; null where all is well.
 */
export async function waitForHealth(servers: readonly FaultyServer[], context: HealthContext): Promise<string | null> {
  const { clock, signal } = context
  const untilMs = clock.now() + maxMs
  const sets = [...new Set(servers.map(({ name }) => parseSetName(name)))]
  const examine = sets.map((set) =>
    examiner(
      servers.filter(({ name }) => parseSetName(name) === set),
      context,
    ),
  )
  for (;;) {
    // All is undone by now: a server of ours that does not run was not brought back, and no waiting helps.
    const ended = servers.find(({ control }) => control?.isRunning() === false)
    if (ended !== undefined) return `${ended.name} is no longer running`
    const troubles = await Promise.all(examine.map((look) => look()))
    const trouble = troubles.find((text) => text !== null) ?? null
    if (trouble === null || signal.aborted) return null
    if (clock.now() > untilMs) return `not healthy ${maxMs / 1000} s after the last fault: ${trouble}`
    await clock.sleep(pollMs, signal)
  }
}

const working: ReadonlySet<unknown> = new Set(['primary', 'secondary', 'arbiter', 'standalone'])

/** A moment of a set, as it orders them. */
type Optime = { readonly t: bigint; readonly ts: bigint }

/** Looks at one set, and returns what is wrong with it. */
function examiner(
  servers: readonly FaultyServer[],
  { known, lacksMembers }: HealthContext,
): () => Promise<string | null> {
  /** A write that has reached a majority: it stays. */
  let goal: Optime | undefined

  async function troubleSeenBy({ name, command }: FaultyServer): Promise<string | null> {
    const { members, term } = await command({ replSetGetStatus: 1 })
    const list = members as readonly Document[]
    if (list.some(({ health }) => health !== 1)) return `${name} does not see all members`
    if (goal === undefined) {
      const ts = await noteForMajority(command)
      if (ts === undefined) return 'writes do not reach a majority'
      goal = { t: wide(term), ts }
      return 'members have still to catch up'
    }
    const delayed = await delayedMembers(command)
    const behind = list.find((member) => !delayed.has(member['_id']) && goal !== undefined && isBehind(member, goal))
    return behind === undefined ? null : 'members have still to catch up'
  }

  return async () => {
    const ofSet = known().filter(({ name }) => servers.some((server) => server.name === name))
    const idle = ofSet.find(({ role }) => !working.has(role))
    if (idle !== undefined) return `${idle.name} ${idle.role === undefined ? 'does not answer' : 'is not ready'}`
    const primaries = ofSet.filter(({ role }) => role === 'primary' || role === 'standalone')
    if (primaries.length !== 1) return primaries.length === 0 ? 'there is no primary' : 'there are two primaries'
    const primary = servers.find(({ name }) => name === primaries[0]?.name)
    // Of existing servers no more is known than which is primary, or not of all of them. Without some of its members a set is not whole anyway.
    if (primary?.control === undefined || ofSet.length === 1 || lacksMembers) return null
    return await troubleSeenBy(primary).catch(describeError)
  }
}

/** A note in the oplog that is never read. @returns when it was, if it has reached a majority. */
async function noteForMajority(command: FaultyServer['command']): Promise<bigint | undefined> {
  const { writeConcernError, operationTime } = await command({
    appendOplogNote: 1,
    data: { msg: 'mongo-perf waits for a majority' },
    writeConcern: { w: 'majority', wtimeout: noteMs },
  })
  return writeConcernError === undefined ? wide(operationTime) : undefined
}

/** They stay behind on purpose. */
async function delayedMembers(command: FaultyServer['command']): Promise<ReadonlySet<unknown>> {
  const { config } = await command({ replSetGetConfig: 1 })
  const list = config['members'] as readonly Document[]
  return new Set(list.flatMap(({ _id, secondaryDelaySecs = 0 }) => (wide(secondaryDelaySecs) > 0n ? [_id] : [])))
}

/** Arbiters have no data, and no optime. */
function isBehind({ optime }: Document, { t, ts }: Optime): boolean {
  return optime !== undefined && (wide(optime.t) < t || wide(optime.ts) < ts)
}

/** Whole numbers come as numbers, or as objects of the classes of BSON. */
const wide = (value: unknown): bigint => BigInt(String(value))

const describeError = (error: unknown): string => (error instanceof Error ? error.message : String(error))
