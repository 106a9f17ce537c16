import { computeCoreNeeds } from '../../run/preflight/preflight.ts'
import { thisMachine } from '../../servers/machine.ts'
import { listTargetLinks, startTarget, type TargetSpec } from '../../servers/targets/index.ts'
import { toLentTarget, type LentTarget } from '../../servers/targets/start/lent-target.ts'
import { listServerLimits, sharesServers } from '../../servers/targets/start/shared-servers.ts'
import { createStartContext } from '../../servers/targets/start/start-context.ts'
import { type RunningTarget } from '../../servers/targets/target.ts'
import { type SpecRow } from '../../spec/fold/read-rows.ts'
import { type Side } from './sides.ts'

/** Servers that the runs of both sides use one after the other. */
export type LentServers = AsyncDisposable & {
  /** For the next run. They start for the first one. */
  readonly lend: () => Promise<LentTarget>
}

/**
 * The target that runs of both sides can share, because they differ in what the client does alone. Undefined: a side has servers of its own,
 * or does something to them (faults, links, limits, code that they run) that needs them to be started by the process of the run.
 */
export function sharedTarget(sides: readonly Side[]): TargetSpec | undefined {
  const rows = sides.flatMap(({ loaded }) => loaded.rows)
  const [first] = rows
  if (first === undefined) return undefined
  const { target } = first.spec
  const isOfBoth = (of: (side: Side) => unknown): boolean =>
    new Set(sides.map((side) => JSON.stringify(of(side)))).size === 1
  const areEqual = isOfBoth(({ loaded, run }) => [loaded.name, run.mongod, computeCoreNeeds(loaded.rows)])
  return areEqual && rows.every((row) => usesOnly(target, row)) ? target : undefined
}

const usesOnly = (servers: TargetSpec, { spec: { target, phases, allow } }: SpecRow): boolean =>
  target.kind !== 'existing' &&
  sharesServers(servers, target) &&
  listServerLimits(target).every((limits) => limits === null) &&
  listTargetLinks(target).length === 0 &&
  allow.length === 0 &&
  phases.every(({ faults = [] }) => faults.length === 0)

/** Keeps one set of servers for all runs, where the sides can share it. */
export function lendServers(
  sides: readonly Side[],
  env: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): LentServers | undefined {
  const target = sharedTarget(sides)
  const [side] = sides
  if (target === undefined || side === undefined) return undefined
  const { loaded, run } = side
  const start = createStartContext({
    machine: thisMachine(env),
    mongod: run.mongod,
    uri: () => undefined,
    allowRemote: false,
    signal,
    log: () => {},
  })
  let running: Promise<RunningTarget> | undefined
  return {
    async lend() {
      const isUsed = running !== undefined
      running ??= startTarget(target, { ...start, coreNeeds: computeCoreNeeds(loaded.rows), seed: loaded.seed })
      const lent = toLentTarget(await running, { processes: [...start.supervisor.cpuTimes().each.keys()], isUsed })
      lent.lost?.throwIfAborted()
      return lent
    },
    async [Symbol.asyncDispose]() {
      try {
        await (await running?.catch(() => undefined))?.[Symbol.asyncDispose]()
      } finally {
        await start[Symbol.asyncDispose]()
      }
    },
  }
}
