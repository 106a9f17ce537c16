import { startTarget, type TargetSpec } from '../targets/index.ts'
import { type RunningTarget, type StartContext } from '../targets/target.ts'
import { type OnProgress, type Position } from './progress.ts'

/** Keeps a target between rows that ask for the same one, and never two at once: they would share the machine. */
export type TargetKeeper = AsyncDisposable & {
  readonly use: (spec: TargetSpec, at: Position) => Promise<RunningTarget>
}

export function createTargetKeeper(context: StartContext, onProgress: OnProgress): TargetKeeper {
  let running: { readonly key: string; readonly target: RunningTarget } | undefined

  async function stop(): Promise<void> {
    const last = running
    running = undefined
    await last?.target[Symbol.asyncDispose]()
  }

  return {
    async use(spec, at) {
      const key = JSON.stringify(spec)
      const wantsFresh = 'fresh' in spec && spec.fresh
      if (running && running.key === key && !wantsFresh) return running.target
      await stop()
      onProgress({ kind: 'target', at, target: spec.kind })
      const target = await startTarget(spec, context)
      running = { key, target }
      onProgress({ kind: 'ready', at, commands: target.commands })
      return target
    },
    [Symbol.asyncDispose]: stop,
  }
}
