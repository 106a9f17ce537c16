import { type RunningTarget, type StartContext } from '../targets/target.ts'
import { startTarget, type TargetSpec } from '../targets/index.ts'

/** Keeps a target between rows that ask for the same one, and never two at once: they would share the machine. */
export type TargetKeeper = AsyncDisposable & {
  readonly use: (spec: TargetSpec) => Promise<RunningTarget>
}

export function createTargetKeeper(context: StartContext): TargetKeeper {
  let running: { readonly key: string; readonly target: RunningTarget } | undefined

  async function stop(): Promise<void> {
    const last = running
    running = undefined
    await last?.target[Symbol.asyncDispose]()
  }

  return {
    async use(spec) {
      const key = JSON.stringify(spec)
      const wantsFresh = 'fresh' in spec && spec.fresh
      if (running && running.key === key && !wantsFresh) return running.target
      await stop()
      const target = await startTarget(spec, context)
      running = { key, target }
      return target
    },
    [Symbol.asyncDispose]: stop,
  }
}
