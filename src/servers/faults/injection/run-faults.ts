import { type ElectionWatch, type FaultResult } from '../../../results/schema/faults.ts'
import { type RunningTarget } from '../../targets/target.ts'
import { chooseServers, parseSelector, parseSetName, type ServerSelectors } from '../choose-servers.ts'
import { type AnyFault, type FaultContext } from '../fault.ts'
import { getFault, listPossibleFaults } from '../index.ts'
import { type KnownAddress, listKnownServers } from './deployment.ts'
import { type FaultInjection, type Happening, injectFaults } from './inject-faults.ts'
import { type PlannedFault } from './timeline.ts'
import { waitForHealth } from './wait-for-health.ts'
import { readRollbackId, type ServerWatch, watchServers } from './watch-servers.ts'

/** The results of the faults of a phase, and its elections; null unless the target is one replica set. */
export type FaultFindings = { readonly faults: FaultResult[]; readonly elections: ElectionWatch | null }

/** The faults of a phase, from before its window to after it. */
export type FaultRun = {
  /** The first measured call goes out now. */
  readonly start: (windowStartMs: number) => void
  /**
   * The window is over: undoes what is still done, and waits until the servers are well. Safe to call again. Never rejects.
   */
  readonly finish: () => Promise<FaultFindings>
}

export type FaultRunContext = Omit<FaultInjection, 'startMs' | 'over' | 'begin' | 'primary'> & {
  readonly target: Pick<RunningTarget, 'processes' | 'members' | 'uri' | 'links' | 'stopped'>
  /** Aborts when the phase is to end: what is done is undone at once. */
  readonly signal: AbortSignal
}

/** To be called before the window: connects the watch of the servers, and reads their rollback ids. */
export async function prepareFaults(context: FaultRunContext): Promise<FaultRun> {
  const { specs, target, clock, signal } = context
  if (specs.length === 0) return { start: () => {}, finish: async () => ({ faults: [], elections: null }) }
  const sets = setsIn(specs.flatMap(listPossibleFaults))
  const servers = listKnownServers(target, clock).filter(({ name }) => sets.has(parseSetName(name)))
  const watch = await watchServers(servers, clock)
  const before = await Promise.all(servers.map(readRollbackId))
  const over = new AbortController()
  const end = (): void => over.abort()
  signal.addEventListener('abort', end)
  let startMs: number | undefined
  let doing: Promise<FaultResult[]> = Promise.resolve([])
  let finding: Promise<FaultFindings> | undefined

  async function findAll(): Promise<FaultFindings> {
    over.abort()
    signal.removeEventListener('abort', end)
    const faults = await doing
    const trouble =
      startMs === undefined
        ? null
        : await waitForHealth(servers, {
            clock,
            signal,
            known: watch.strip.servers,
            lacksMembers: (target.stopped ?? []).length > 0,
          })
    const after = await Promise.all(servers.map(readRollbackId))
    const primaries = await watch.finish(startMs ?? clock.now())
    const isOneSet = sets.size === 1 && before.some((id) => id !== null)
    const rollbackIds = servers.map(({ name: member }, i) => ({
      member,
      before: before[i] ?? null,
      after: after[i] ?? null,
    }))
    return {
      faults: trouble === null ? faults : withTrouble(faults, trouble),
      elections: isOneSet
        ? { primaries, rollbackIds: rollbackIds.filter((id) => id.before !== null || id.after !== null) }
        : null,
    }
  }

  return {
    start(windowStartMs) {
      startMs = windowStartMs
      if (signal.aborted) over.abort()
      doing = injectFaults({
        ...context,
        startMs,
        over: over.signal,
        begin: (planned, happening) => beginOne(planned, happening, { ...context, servers, watch, over: over.signal }),
        primary: ({ spec }) => watch.strip.now(setsIn([spec])),
      })
    },
    finish: () => (finding ??= findAll()),
  }
}

/** The sets whose servers the words of faults stand for. */
const setsIn = (faults: readonly AnyFault[]): ReadonlySet<string> =>
  new Set(
    faults
      .flatMap((spec) => getFault(spec.kind).selectors(spec as never))
      .filter(({ selector }) => selector !== 'client')
      .map(({ selector }) => parseSelector(selector).set),
  )

/** How long a selector may match no server: after an election there is a primary again. */
const findMs = 5_000
const findAgainMs = 20

type Around = Pick<FaultRunContext, 'clock' | 'target'> & {
  readonly servers: readonly KnownAddress[]
  readonly watch: ServerWatch
  readonly over: AbortSignal
}

async function beginOne(
  { spec, choose }: PlannedFault,
  { meets, onUndo }: Happening,
  { clock, target, servers, watch, over }: Around,
): Promise<void> {
  async function find(selectors: ServerSelectors): Promise<readonly KnownAddress[]> {
    const untilMs = clock.now() + findMs
    for (;;) {
      const names = chooseServers(selectors, watch.strip.servers(), choose)
      if (names.length > 0) {
        meets(names)
        return servers.filter(({ name }) => names.includes(name))
      }
      if (over.aborted || clock.now() > untilMs) throw new Error(`no server was ${selectors.join(' or ')}`)
      await clock.sleep(findAgainMs, over)
    }
  }
  const context: FaultContext = { find, onUndo, links: target.links, over }
  await getFault(spec.kind).begin(spec as never, context)
}

/** Reports trouble at the end with the fault that happened last. */
function withTrouble(faults: readonly FaultResult[], trouble: string): FaultResult[] {
  const all = faults.flatMap(({ occurrences }) => occurrences)
  const [last] = all.toSorted((a, b) => b.beganAtSeconds - a.beganAtSeconds)
  return faults.map((fault) => ({
    ...fault,
    occurrences: fault.occurrences.map((one) =>
      one === last ? { ...one, error: [one.error, trouble].filter((text) => text !== null).join('; ') } : one,
    ),
  }))
}
