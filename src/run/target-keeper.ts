import { startTarget, type TargetSpec } from '../targets/index.ts'
import { type RunningTarget, type StartContext } from '../targets/target.ts'
import { type OnProgress, type Position } from './progress.ts'

/** Keeps a target between rows that ask for the same one, and never two at once: they would share the machine. */
export type TargetKeeper = AsyncDisposable & {
  readonly use: (spec: TargetSpec, at: Position) => Promise<RunningTarget>
}

/** Whether a row may run where the row before it has run. */
export const sharesTarget = (before: TargetSpec, after: TargetSpec): boolean =>
  JSON.stringify(before) === JSON.stringify(after) && !('fresh' in after && after.fresh)

export function createTargetKeeper(context: StartContext, onProgress: OnProgress): TargetKeeper {
  let running: { readonly spec: TargetSpec; readonly target: RunningTarget } | undefined

  async function stop(): Promise<void> {
    const last = running
    running = undefined
    await last?.target[Symbol.asyncDispose]()
  }

  return {
    async use(spec, at) {
      if (running && sharesTarget(running.spec, spec)) return running.target
      await stop()
      onProgress({ kind: 'target', at, target: spec.kind })
      const target = await startTarget(spec, context)
      running = { spec, target }
      onProgress({ kind: 'ready', at, commands: target.commands })
      return target
    },
    [Symbol.asyncDispose]: stop,
  }
}
