import { type Document } from 'bson'
import { type Clock } from '../clock.ts'
import { type FaultyServer } from './fault.ts'
import { type KnownServer } from './choose-servers.ts'
import { primaryOf } from './choose-servers.ts'
import { setOf } from './server-words.ts'

const longestMs = 120_000
const pollMs = 100
/** How long one try to reach a majority may take. */
const noteMs = 2_000

export type HealthContext = {
  readonly clock: Clock
  /** Aborts: nobody wants to know any more. */
  readonly signal: AbortSignal
  /** As the watch knows them. */
  readonly known: () => readonly KnownServer[]
  /** Whether the set may lack members by its spec, and a majority with them. */
  readonly lacksMembers: boolean
}

/**
 * Waits after the last fault until every set has one primary, all of its members are at work, and what is written reaches a
 * majority again.
 * @returns what is still wrong in the end; null where all is well.
 */
export async function waitForHealth(servers: readonly FaultyServer[], context: HealthContext): Promise<string | null> {
  const { clock, signal } = context
  const untilMs = clock.now() + longestMs
  const sets = [...new Set(servers.map(({ name }) => setOf(name)))]
  for (;;) {
    const troubles = await Promise.all(sets.map((set) => troubleOf(set, servers, context)))
    const trouble = troubles.find((text) => text !== null) ?? null
    if (trouble === null || signal.aborted) return null
    if (clock.now() > untilMs) return `not healthy ${longestMs / 1000} s after the last fault: ${trouble}`
    await clock.sleep(pollMs, signal)
  }
}

const working: ReadonlySet<unknown> = new Set(['primary', 'secondary', 'arbiter', 'standalone'])

async function troubleOf(
  set: string,
  servers: readonly FaultyServer[],
  context: HealthContext,
): Promise<string | null> {
  const known = context.known().filter(({ name }) => setOf(name) === set)
  const idle = known.find(({ role }) => !working.has(role))
  if (idle !== undefined) return `${idle.name} ${idle.role === undefined ? 'does not answer' : 'is not ready'}`
  const primaries = known.filter(({ role }) => role === 'primary' || role === 'standalone')
  if (primaries.length !== 1) return primaries.length === 0 ? 'there is no primary' : 'there are two primaries'
  const [name] = primaryOf(known)
  const primary = servers.find((server) => server.name === name)
  // What others run tells no more than who is primary, or not everybody.
  if (primary?.control === undefined || known.length === 1) return null
  return (await unseenBy(primary, context)) ?? (context.lacksMembers ? null : await majorityTrouble(primary))
}

/** A member that the primary does not see, whatever it says of itself. */
async function unseenBy({ name, command }: FaultyServer, { lacksMembers }: HealthContext): Promise<string | null> {
  if (lacksMembers) return null
  try {
    const { members } = await command({ replSetGetStatus: 1 })
    const ill = (members as readonly Document[]).find(({ health }) => health !== 1)
    return ill === undefined ? null : `${name} does not see all members`
  } catch (error) {
    return reasonOf(error)
  }
}

/** A note in the oplog that nobody reads moves the majority's commit point, which else would stand while nobody writes. */
async function majorityTrouble({ command }: FaultyServer): Promise<string | null> {
  try {
    const { writeConcernError } = await command({
      appendOplogNote: 1,
      data: { msg: 'mongo-perf waits for a majority' },
      writeConcern: { w: 'majority', wtimeout: noteMs },
    })
    return writeConcernError === undefined ? null : 'writes do not reach a majority'
  } catch (error) {
    return reasonOf(error)
  }
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
