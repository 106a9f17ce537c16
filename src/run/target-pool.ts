import { computeTargetNeeds } from '../servers/faults/index.ts'
import { startTarget, type TargetSpec } from '../servers/targets/index.ts'
import { listServerLimits, sharesServers } from '../servers/targets/start/shared-servers.ts'
import { type RunningTarget, type StartContext, type TargetNeeds } from '../servers/targets/target.ts'
import { type SpecRow } from '../spec/fold/read-rows.ts'
import { type ReusableData, emptyCache } from './data/prepare-data.ts'
import { type Position, type RunEvents } from './run-events.ts'

/** A target, and what the rows that ran there left on it. */
export type PooledTarget = {
  readonly target: RunningTarget
  readonly kept: ReusableData
  /** Whether runs before this one have used it. */
  readonly isUsed: boolean
}

/** Keeps a target between rows whose servers can be the same, and never two at once: they would share the machine. */
export type TargetPool = AsyncDisposable & {
  readonly use: (row: SpecRow, at: Position) => Promise<PooledTarget>
  /** Whether the target that runs would be used for another row. */
  readonly canReuseFor: (row: SpecRow) => boolean
}

type TargetRequest = { readonly spec: TargetSpec; readonly needs: TargetNeeds }

type Running = PooledTarget & { readonly started: TargetRequest; readonly last: TargetSpec }

/** Creates a target keeper; it starts no target until the first request. */
export function createTargetPool(context: StartContext, { emit }: Pick<RunEvents, 'emit'>): TargetPool {
  let running: Running | undefined

  async function stop(): Promise<void> {
    const last = running
    running = undefined
    await last?.target[Symbol.asyncDispose]()
  }

  return {
    canReuseFor: (row) => running !== undefined && areShared(running.started, createRequest(row)),
    async use(row, at) {
      const { spec, needs } = createRequest(row)
      if (running && areShared(running.started, { spec, needs })) {
        const target = await applyLimits(running, spec)
        if (target !== running.target) emit({ kind: 'ready', at, commands: target.commands })
        return (running = { ...running, target, last: spec, isUsed: true })
      }
      await stop()
      emit({ kind: 'target', at, target: spec.kind })
      const target = await startTarget(spec, { ...context, needs })
      const isUsed = context.lent?.isUsed ?? false
      running = { started: { spec, needs }, last: spec, target, kept: emptyCache(), isUsed }
      emit({ kind: 'ready', at, commands: target.commands })
      return running
    },
    [Symbol.asyncDispose]: stop,
  }
}

const createRequest = ({ spec: { target, phases } }: SpecRow): TargetRequest => ({
  spec: target,
  needs: computeTargetNeeds(phases.flatMap(({ faults = [] }) => faults)),
})

/** A proxy costs time, and test commands change what a server does: rows without faults get neither. */
const areShared = (started: TargetRequest, wanted: TargetRequest): boolean =>
  JSON.stringify(started.needs) === JSON.stringify(wanted.needs) && sharesServers(started.spec, wanted.spec)

async function applyLimits({ target, last }: Running, spec: TargetSpec): Promise<RunningTarget> {
  const limits = listServerLimits(spec)
  if (target.changeLimits === undefined || JSON.stringify(limits) === JSON.stringify(listServerLimits(last)))
    return target
  return await target.changeLimits(limits)
}
