import { type StartedEntry } from '../../core/entries.ts'
import { Problem } from '../../core/errors.ts'
import { packError, type PackedError, unpackError } from '../../load/threads/messages.ts'
import { type Result } from '../../results/schema.ts'
import { type SideName } from '../../results/schema/pairing.ts'
import { type ProgressEvent } from '../../run/run-events.ts'
import { forkHelper } from '../../servers/child-process.ts'
import { type LentTarget } from '../../servers/targets/start/lent-target.ts'
import { type Overrides } from '../../spec/parse/overrides.ts'
import { type SpecInput } from '../../spec/spec-input.ts'

/** Run of one side in each round: all of it can be sent to another process. */
export type SideRun = {
  readonly spec: string | SpecInput
  readonly overrides: Omit<Overrides, 'functions' | 'columns'>
  /** The URI that replaces the target of the spec. A secret. */
  readonly uri: string | undefined
  /** URIs by the variables that targets of the spec read. Secrets. */
  readonly uris: Readonly<Record<string, string>>
  /** How messages name them, see `StartContext.givenAs`. */
  readonly givenAs: Readonly<Record<string, string>>
  readonly allowRemote: boolean
  readonly mongod: string | undefined
  /** The file of an installed driver. Undefined: the driver of mongo-perf. */
  readonly driver: string | undefined
  /** The module of its functions. Undefined: the spec calls none. */
  readonly functions: string | undefined
  /** Runs of every row, those that are only for starting up among them. */
  readonly repeat: number
  readonly compact: boolean
  /** Undefined: the operations of the spec are its work. */
  readonly own?: OwnSide
  /** The side, where its measured phases take turns with those of the other one. Absent: each phase has one window. */
  readonly turnsOf?: SideName
}

/** Work of a side that is none of its spec: the process that does it, and what is handed to it as JSON. */
export type OwnSide = { readonly process: StartedEntry; readonly given: unknown }

/** An event of a side that runs. Finished rows are in its result. */
export type SideEvent = Exclude<ProgressEvent, { kind: 'row' }>

export type SideControl = {
  /** An abort ends it as Ctrl-C ends a run: with the result so far. */
  readonly signal: AbortSignal
  readonly onEvent: (event: SideEvent) => void
  /** Resolves when the side has its next turn, with the length of it; undefined: it has had enough. Absent: it takes no turns. */
  readonly waitForTurn?: (() => Promise<number | undefined>) | undefined
  /** Servers that runs of both sides use: they may still start when the process of the run does. Absent: the run starts its own. */
  readonly lent?: Promise<LentTarget> | undefined
}

export type RunSide = (run: SideRun, control: SideControl) => Promise<Result>

/** Message to the process of a side. */
export type SideRequest =
  | { readonly kind: 'run'; readonly run: SideRun; readonly lent: LentTarget | undefined }
  | { readonly kind: 'stop' }
  | { readonly kind: 'turn'; readonly seconds: number | undefined }
  /** The servers that were lent are gone. */
  | { readonly kind: 'lost'; readonly error: PackedError }

export type SideMessage =
  | { readonly kind: 'event'; readonly event: SideEvent }
  /** It is ready for its next turn: all of its calls have been answered. */
  | { readonly kind: 'waits' }
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'failed'; readonly error: PackedError }

/** Runs a side in a process of its own: compiled code and heap of one round do not affect the next. */
export const runInProcess =
  (env: Readonly<Record<string, string | undefined>>): RunSide =>
  async (run, { signal, onEvent, waitForTurn, lent }) => {
    const child = forkHelper(run.own?.process ?? 'verdicts/ab/side-process', [], { env })
    const send = (request: SideRequest): void => void child.send(request, () => undefined)
    const stop = (): void => send({ kind: 'stop' })
    const giveTurn = async (): Promise<void> => send({ kind: 'turn', seconds: await waitForTurn?.() })
    const over = new AbortController()
    const untilOver = { once: true, signal: over.signal }
    let end: Exclude<SideMessage, { kind: 'event' | 'waits' }> | undefined
    const ended = new Promise<Result>((resolve, reject) => {
      child.on('message', (message: SideMessage) => {
        if (message.kind === 'event') onEvent(message.event)
        else if (message.kind === 'waits') void giveTurn()
        else end = message
      })
      child.on('error', reject)
      child.on('exit', (code, killedBy) => {
        if (end?.kind === 'done') return resolve(end.result)
        reject(end ? unpackError(end.error) : endedEarly(code, killedBy))
      })
    })

    async function begin(): Promise<void> {
      try {
        const servers = await lent
        send({ kind: 'run', run, lent: servers })
        const lost = servers?.lost
        lost?.addEventListener('abort', () => send({ kind: 'lost', error: packError(lost.reason) }), untilOver)
        if (signal.aborted) stop()
        signal.addEventListener('abort', stop, untilOver)
      } catch (error) {
        // The process of a side that has nothing to run ends without its parent.
        child.disconnect()
        throw error
      }
    }

    const [begun, done] = await Promise.allSettled([begin(), ended])
    over.abort()
    if (begun.status === 'rejected') throw begun.reason
    if (done.status === 'rejected') throw done.reason
    return done.value
  }

/** A process that a signal ended was ended by the system or by another process: that is foreseen. */
const endedEarly = (code: number | null, killedBy: NodeJS.Signals | null): Error =>
  killedBy === null
    ? new Error(`The process of a side ended without a result (${code})`)
    : new Problem('not-measurable-here', `Its process was ended by ${killedBy}`, {
        hint: hints[killedBy] ?? 'Find out what ended it.',
      })

const hints: { readonly [Signal in NodeJS.Signals]?: string } = {
  SIGKILL:
    'Another process killed it, or the kernel did because memory ran out (see dmesg): use fewer workers, or smaller caches and documents.',
  SIGABRT: 'Its heap may have been full: give Node more, with NODE_OPTIONS=--max-old-space-size and a number of MB.',
}
