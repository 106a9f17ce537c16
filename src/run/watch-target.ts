import { type MongoClient } from 'mongodb'
import { Problem } from '../core/errors.ts'
import { isDriverError } from '../servers/targets/connection/driver-error.ts'
import { type RunningTarget } from '../servers/targets/target.ts'
import { type RunEnvironment } from './run-environment.ts'

/** Notices that the servers of a row are gone: without it every call would wait for them until its deadline. */
export type TargetWatch = Disposable & {
  /** Aborts then; its reason is a `Problem`. */
  readonly lost: AbortSignal
  /** A call got no answer: asks whether the servers are there, unless that is under way. */
  readonly suspect: (deadlineMs: number) => void
  /** To be awaited after a phase: resolves when it is known whether they are there. */
  readonly settled: () => Promise<void>
  /** Why the row failed: the loss of the servers, where that is what an error of the driver comes from. */
  readonly explain: (error: unknown) => Promise<unknown>
}

/** A process that has ended is reported a moment after its connections have closed. */
const reportMs = 100
/** The same after an error that ends the row: it is worth the wait. */
const explainMs = 1_000
const pingMs = 2_000
/** Share of the deadline of a call: the rest of it is left to end the row. */
const timeoutShare = 0.8
const betweenPingsMs = 250

/** @param client Of the row. It is closed when they are gone: nothing waits for them any more. */
export function watchTarget(
  { lost }: Pick<RunningTarget, 'lost'>,
  client: MongoClient,
  environment: Waiting,
): TargetWatch {
  const watch = lost === undefined ? byPings(client, environment) : byTheirProcesses(lost, environment)
  const close = (): void => void client.close()
  watch.lost.addEventListener('abort', close, { once: true })
  // The servers of one row are those of the next ones too.
  return { ...watch, [Symbol.dispose]: () => watch.lost.removeEventListener('abort', close) }
}

type Watching = Omit<TargetWatch, keyof Disposable>

type Waiting = Pick<RunEnvironment, 'clock' | 'signal'>

function byTheirProcesses(lost: AbortSignal, { clock }: Waiting): Watching {
  let isSuspected = false
  return {
    lost,
    suspect: () => void (isSuspected = true),
    async settled() {
      if (isSuspected) await clock.sleep(reportMs, lost)
      isSuspected = false
    },
    async explain(error) {
      if (isUnreachable(error)) await clock.sleep(explainMs, lost)
      return lost.aborted ? lost.reason : error
    },
  }
}

const isUnreachable = (error: unknown): boolean =>
  isDriverError(error) || (error instanceof Problem && error.code === 'target-unreachable')

function byPings(client: MongoClient, { clock, signal }: Waiting): Watching {
  const lost = new AbortController()
  let asking: Promise<void> | undefined

  async function ask(deadlineMs: number): Promise<void> {
    const withinMs = deadlineMs * timeoutShare
    const untilMs = clock.now() + withinMs
    let last = ''
    while (clock.now() < untilMs) {
      try {
        const leftMs = Math.max(1, Math.ceil(untilMs - clock.now()))
        const bound = AbortSignal.timeout(Math.min(pingMs, leftMs))
        await client.db('admin').command({ ping: 1 }, { readPreference: 'nearest', signal: bound })
        // What fails for other reasons need not ask again and again.
        return await clock.sleep(betweenPingsMs, signal)
      } catch (error) {
        if (signal.aborted) return
        if (isDriverError(error)) last = ` (${error.message})`
        else if (!isTimeout(error)) throw error
        await clock.sleep(betweenPingsMs, signal)
      }
    }
    lost.abort(noAnswer(withinMs, last))
  }

  return {
    lost: lost.signal,
    suspect: (deadlineMs) => void (asking ??= ask(deadlineMs).finally(() => (asking = undefined))),
    settled: async () => await asking,
    explain: async (error) => (lost.signal.aborted ? lost.signal.reason : error),
  }
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.name === 'TimeoutError'

const noAnswer = (withinMs: number, last: string): Problem =>
  new Problem(
    'target-unreachable',
    `The server stopped answering during the run: no answer to a ping within ${withinMs / 1000} s${last}`,
    { hint: 'Find out what ended it. --resume keeps the finished rows and runs the others, this one too.' },
  )
