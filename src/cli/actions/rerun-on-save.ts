import { type Clock } from '../../core/clock.ts'

/** An editor that writes a file in parts, or renames a new one to it, is done after so long without an event. */
const settleMs = 100

/** A file that is looked at. */
export type WatchedFile = {
  /** Calls back on every event that may be a change. @returns ends that. */
  readonly listen: (onEvent: () => void) => () => void
  /** Its text. Undefined: there is none at this moment. */
  readonly read: () => Promise<string | undefined>
}

/**
 * Runs at once, and anew after every change of a file. A change while a run is under way ends it: its signal aborts, and the
 * next run begins when it is over.
 * @returns when `stop` has aborted, and the last run is over.
 */
export async function rerunOnSave(
  run: (signal: AbortSignal) => Promise<void>,
  { file, clock, stop }: { readonly file: WatchedFile; readonly clock: Clock; readonly stop: AbortSignal },
): Promise<void> {
  const ending = new AbortController()
  const changes = readChanges(file, clock, AbortSignal.any([stop, ending.signal]))
  try {
    let change = await changes.next()
    while (change.done !== true) {
      const superseded = new AbortController()
      const following = changes.next().finally(() => superseded.abort())
      // Its failure is for whoever awaits it below.
      following.catch(() => {})
      await run(AbortSignal.any([stop, superseded.signal]))
      change = await following
    }
  } finally {
    ending.abort()
  }
}

/** The texts of a file, each time that it is another one. */
async function* readChanges({ listen, read }: WatchedFile, clock: Clock, stop: AbortSignal): AsyncGenerator<string> {
  if (stop.aborted) return
  let ring: (() => void) | undefined
  let hasRung = false
  const endListening = listen(() => {
    hasRung = true
    ring?.()
  })
  stop.addEventListener('abort', () => (endListening(), ring?.()), { once: true })
  const rung = (): Promise<void> =>
    new Promise((resolve) => {
      ring = resolve
      if (hasRung || stop.aborted) resolve()
    })
  let seen: string | undefined
  while (!stop.aborted) {
    const text = await read()
    if (text !== undefined && text !== seen) yield (seen = text)
    await rung()
    while (hasRung && !stop.aborted) {
      hasRung = false
      await clock.sleep(settleMs, stop)
    }
  }
}
