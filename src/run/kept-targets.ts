import { type StartContext } from '../servers/targets/target.ts'
import { type RunEvents } from './run-events.ts'
import { createTargetPool, type TargetPool } from './target-pool.ts'

/** Keeps the servers of a run for the next one, where that can use them. Disposing stops them. */
export type KeptTargets = AsyncDisposable & {
  /** The servers for a run of a spec of that name. It leaves them running. */
  readonly lend: (name: string, start: StartContext, events: Pick<RunEvents, 'emit'>) => TargetPool
  /** Stops what runs: the next run starts servers of its own. */
  readonly drop: () => Promise<void>
}

/** @param signal Ends the start of servers. A run that ends earlier leaves that to the next. */
export function keepTargets(signal: AbortSignal): KeptTargets {
  let kept: { readonly key: string; readonly pool: TargetPool } | undefined
  let emit: RunEvents['emit'] | undefined

  async function drop(): Promise<void> {
    const last = kept
    kept = undefined
    await last?.pool[Symbol.asyncDispose]()
  }

  return {
    lend(name, start, events) {
      // Data that rows leave to each other is known by the names of its collections, in the database of one spec.
      const key = JSON.stringify([name, start.coreNeeds, start.scripting, start.seed])
      emit = events.emit
      return {
        canReuseFor: (row) => kept?.key === key && kept.pool.canReuseFor(row),
        async use(row, at) {
          if (kept?.key !== key) await drop()
          kept ??= { key, pool: createTargetPool({ ...start, signal }, { emit: (event) => emit?.(event) }) }
          return await kept.pool.use(row, at)
        },
        [Symbol.asyncDispose]: async () => {},
      }
    },
    drop,
    [Symbol.asyncDispose]: drop,
  }
}
