import { startTarget, type TargetSpec } from '../targets/index.ts'
import { limitsOf, sharesServers } from '../targets/shared-servers.ts'
import { type RunningTarget, type StartContext } from '../targets/target.ts'
import { type KeptData, nothingKept } from './data/prepare-data.ts'
import { type OnProgress, type Position } from './progress.ts'

/** A target, and what the rows that ran there left on it. */
export type KeptTarget = { readonly target: RunningTarget; readonly kept: KeptData }

/** Keeps a target between rows whose servers can be the same, and never two at once: they would share the machine. */
export type TargetKeeper = AsyncDisposable & {
  readonly use: (spec: TargetSpec, at: Position) => Promise<KeptTarget>
  /** Whether the target that runs would be used for another row. */
  readonly keepsFor: (spec: TargetSpec) => boolean
}

type Running = KeptTarget & {
  /** What it was started for. */
  readonly started: TargetSpec
  /** What it was used for last. */
  readonly last: TargetSpec
}

export function createTargetKeeper(context: StartContext, onProgress: OnProgress): TargetKeeper {
  let running: Running | undefined

  async function stop(): Promise<void> {
    const last = running
    running = undefined
    await last?.target[Symbol.asyncDispose]()
  }

  return {
    keepsFor: (spec) => running !== undefined && sharesServers(running.started, spec),
    async use(spec, at) {
      if (running && sharesServers(running.started, spec)) {
        const target = await withLimitsOf(running, spec)
        if (target !== running.target) onProgress({ kind: 'ready', at, commands: target.commands })
        return (running = { ...running, target, last: spec })
      }
      await stop()
      onProgress({ kind: 'target', at, target: spec.kind })
      const target = await startTarget(spec, context)
      running = { started: spec, last: spec, target, kept: nothingKept() }
      onProgress({ kind: 'ready', at, commands: target.commands })
      return running
    },
    [Symbol.asyncDispose]: stop,
  }
}

async function withLimitsOf({ target, last }: Running, spec: TargetSpec): Promise<RunningTarget> {
  const limits = limitsOf(spec)
  if (target.changeLimits === undefined || JSON.stringify(limits) === JSON.stringify(limitsOf(last))) return target
  return await target.changeLimits(limits)
}
