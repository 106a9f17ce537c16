import type { ChangeStreamOptions, Db, Document, Timestamp } from 'mongodb'
import type { Clock } from '../../../core/clock.ts'
import { Problem } from '../../../core/errors.ts'
import type { PhasePlan, StreamPlan } from '../../plan/plan.ts'
import { type OpenStreams, type StreamListener, emptyReply, needsReplicaSet } from '../engine.ts'
import { type DriverModule, clientOptions, createClient, toReadPreference } from './client-options.ts'
import { watchStream } from './watch-stream.ts'

/** How long events of the window are waited for after its end, and then cursors to close: a server that hangs is not waited for. */
const maxWaitMs = 10_000
/** Time that the server waits for an event before it answers with none. */
const awaitMs = 1000
/** Enough to know the clock of a server nearby to a fraction of a millisecond. */
const timesAsked = 20

/**
 * Opens the change streams of a phase, with a client of their own, so that they take no connection from the workers.
 * @throws {Problem} "spec-invalid" when the server has no change streams.
 */
export async function openStreams({
  driver,
  uri,
  database,
  phase,
  listeners,
  clock,
  signal,
}: {
  readonly driver: DriverModule
  /** A secret: appears in no message. */
  readonly uri: string
  readonly database: string
  readonly phase: PhasePlan
  readonly listeners: readonly StreamListener[]
  readonly clock: Clock
  readonly signal: AbortSignal
}): Promise<OpenStreams> {
  const { streams, deadlineMs, retries } = phase
  const client = createClient(driver, uri, {
    ...clientOptions({ workers: streams.length + 1, deadlineMs, retries }),
    socketTimeoutMS: deadlineMs + awaitMs,
  })
  const admin = client.db('admin')
  const close = (): Promise<void> => client.close(true)

  async function open(): Promise<OpenStreams> {
    const now = await operationTime(admin)
    const offsetMs = await askServerClock(admin, clock)
    const watched = streams.map((plan, i) => {
      const collection = client.db(plan.database ?? database).collection(plan.collection)
      const stream = collection.watch(plan.pipeline as Document[], streamOptions(driver, phase, plan, now))
      return watchStream({ stream, listener: listeners[i] as StreamListener, clock, offsetMs })
    })
    await Promise.all(watched.map(({ opened }) => opened))
    return {
      async catchUp() {
        const allRead = operationTime(admin).then((time) => Promise.all(watched.map((one) => one.readUntil(time))))
        await within(maxWaitMs, allRead, clock, signal)
        if (signal.aborted) return
        for (const [i, { isReading }] of watched.entries()) if (isReading()) listeners[i]?.addError(behind)
      },
      async close() {
        // Before their client, which would cut their connections and leave the cursors on the server.
        await within(maxWaitMs, Promise.all(watched.map((one) => one.close())), clock)
        await close()
      },
    }
  }

  try {
    return await open()
  } catch (error) {
    await close()
    throw error
  }
}

function streamOptions(
  driver: DriverModule,
  phase: PhasePlan,
  plan: StreamPlan,
  after: Timestamp,
): ChangeStreamOptions {
  return {
    ...plan.options,
    readPreference: toReadPreference(driver, phase),
    // The only one that the server takes here; the URI may set another.
    readConcern: { level: 'majority' },
    // Set, so that nothing written before is seen, also where a secondary that lags behind is asked.
    startAtOperationTime: new driver.Timestamp(after.toBigInt() + 1n),
  } as ChangeStreamOptions
}

const behind = {
  kind: 'unknown',
  code: 'EventsMissing',
  name: 'EventsMissing',
  message: `${maxWaitMs / 1000} s after the end, not all events of the window had come`,
  labels: [],
  reply: emptyReply,
} as const

/** Waits for work that may take longer than anybody wants to wait, or fail. */
async function within(ms: number, work: Promise<unknown>, clock: Clock, signal?: AbortSignal): Promise<void> {
  const done = new AbortController()
  const enough = signal ? AbortSignal.any([signal, done.signal]) : done.signal
  await Promise.race([work.catch(() => {}), clock.sleep(ms, enough)])
  done.abort()
}

async function askServerClock(admin: Db, clock: Clock): Promise<number> {
  const answers: TimeAnswer[] = []
  for (let i = 0; i < timesAsked; i++) {
    const askedMs = clock.now()
    const { localTime } = await admin.command({ hello: 1 })
    answers.push({ askedMs, answeredMs: clock.now(), serverMs: (localTime as Date).getTime() })
  }
  return clockOffset(answers)
}

/** An answer that carries the server's time, cut to whole milliseconds, and when it was asked and answered by our clock. */
type TimeAnswer = { readonly askedMs: number; readonly answeredMs: number; readonly serverMs: number }

/**
 * Computes the offset to add to our clock to get the server's. The server read its clock between question and answer,
 * so every answer bounds the offset from both sides; the bounds of several together are narrower than those of the
 * quickest alone, and often narrower than the millisecond to which the server's time is cut.
 */
export function clockOffset(answers: readonly TimeAnswer[]): number {
  const least = Math.max(...answers.map(({ serverMs, answeredMs }) => serverMs - answeredMs))
  const most = Math.min(...answers.map(({ serverMs, askedMs }) => serverMs + 1 - askedMs))
  return (least + most) / 2
}

/**
 * The server's time of its latest write.
 * @throws {Problem} "spec-invalid" when the server keeps no such time: it has no change streams either.
 */
async function operationTime(db: Db): Promise<Timestamp> {
  const { operationTime: time } = await db.command({ ping: 1 })
  if (time) return time as Timestamp
  throw new Problem('spec-invalid', `The server cannot be watched: ${needsReplicaSet}`, {
    hint: 'Measure a replica set; one of a single member will do: {"target": {"kind": "replicaSet", "members": 1}}.',
  })
}
