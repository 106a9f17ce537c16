import { type Clock } from '../../core/clock.ts'
import { type RecordingWriter } from '../recording/create-recording.ts'
import { type ValuesMode } from '../recording/values-modes.ts'
import { findServers } from './find-servers.ts'
import { type ProxyOptions, startProxy } from './proxy.ts'
import { createReadingBudget } from './reading-budget.ts'
import { type RecordingSummary, startRecorder } from './start-recorder.ts'

export type ProxyRecording = Pick<ProxyOptions, 'listen' | 'tls'> & {
  readonly file: string
  readonly uri: string
  readonly values: ValuesMode
  /** Ends it after this time. Infinity: only the signal ends it. */
  readonly maxMs: number
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly log: (line: string) => void
}

/** How often to write the calls that wait, and to check whether writing has failed, in ms. */
const lookMs = 1000

/**
 * Records what passes a proxy until its time is over. If writing fails, clients still go on.
 * @throws {Problem} when the servers cannot be reached, nothing can listen or the file cannot be written.
 */
export async function recordProxy(wanted: ProxyRecording): Promise<RecordingSummary> {
  const { file, values, clock, log } = wanted
  const { servers, version, settingsOf } = await findServers(wanted.uri)
  const beganAt = clock.date().toISOString()
  const startMs = clock.now()
  const header = { beganAt, source: 'proxy', values, serverVersion: version, limits: [] } as const
  const { sink, writer } = await startRecorder(file, header)
  const nowUs = (): number => Math.round((clock.now() - startMs) * 1000)
  const paced = { ...sink, budget: createReadingBudget(nowUs) }
  const proxy = await startProxy({ ...wanted, servers, settingsOf, sink: paced, nowUs }).catch(
    async (error: unknown) => {
      await writer.discard()
      throw error
    },
  )
  try {
    for (const [i, server] of servers.entries()) log(`${proxy.listeners[i]} leads to ${server}`)
    if (wanted.maxMs === Infinity) log('Ctrl-C ends the recording')
    await waitForEnd(wanted, startMs + wanted.maxMs, writer, nowUs)
  } finally {
    await proxy[Symbol.asyncDispose]()
  }
  const durationMs = clock.now() - startMs
  return { ...(await writer.close(nowUs())), durationMs }
}

async function waitForEnd(
  { clock, signal, log }: ProxyRecording,
  endMs: number,
  { failure, flush }: RecordingWriter,
  nowUs: () => number,
): Promise<void> {
  let warned = false
  while (!signal.aborted && clock.now() < endMs) {
    await clock.sleep(Math.min(lookMs, endMs - clock.now()), signal)
    flush(nowUs())
    const problem = failure()
    if (problem === undefined || warned) continue
    log(`warning: ${problem.message}: nothing is recorded any more, and clients go on`)
    warned = true
  }
}
