import { type Clock } from '../clock.ts'
import { createEngine } from '../engines/create-engine.ts'
import { ourDriver } from '../engines/driver/load-driver.ts'
import { type PhaseEngine } from '../engines/engine.ts'
import { type Path, pathText } from '../json.ts'
import { startThreadMeter } from '../measure/client-health.ts'
import { compilePhase } from '../plan/compile-phase.ts'
import { type CompileContext, createDataSet } from '../plan/data-set.ts'
import { type CallSource, type PhasePlan } from '../plan/plan.ts'
import { closedLoop } from '../schedule/closed-loop.ts'
import { createBatchWriter, type CallBatch } from './call-batch.ts'
import { type Answer, type RanPass, type Request, type ThreadWork } from './messages.ts'
import { unpackSamples } from './packed-samples.ts'
import { openPass, type SharedPass } from './shared-pass.ts'
import { openNumbers } from './shared-rows.ts'
import { clockWithOrigin } from './thread-clock.ts'
import { takenFirst } from './taken-first.ts'

/** Calls that have ended are told at least so often: the main thread waits for the slowest teller. */
const betweenBatchesMs = 20

type PreparedPass = { readonly pass: SharedPass; readonly source: CallSource }

/** Makes the calls of some of a phase's workers, with a client of its own. */
export class LoadThread {
  readonly #phase: PhasePlan
  readonly #rows: ReadonlyMap<string, ReturnType<typeof openNumbers>>
  readonly #clock: Clock
  readonly #engine: PhaseEngine
  readonly #tell: (batch: CallBatch) => void
  #prepared: PreparedPass | undefined

  /** @param tell Takes the calls that have ended. */
  constructor({ data, workers, uri, database, ...work }: ThreadWork, tell: (batch: CallBatch) => void) {
    const context: CompileContext = { seed: work.seed, report: neverWrong }
    const numbers = data.map((_, i) => openNumbers(work.rows, i, work.thread))
    const dataSets = data.map((spec, i) => createDataSet(spec, ['data', i], context, numbers[i]))
    unpackSamples(dataSets, work.samples)
    this.#rows = new Map(numbers.map((one, i) => [data[i]?.collection ?? '', one]))
    this.#phase = { ...compilePhase(work.phase, ['phase'], dataSets, context), workers }
    this.#clock = clockWithOrigin(work.clockOriginMs)
    this.#engine = createEngine({ kind: 'driver', driver: ourDriver(), uri, database, phase: this.#phase })
    this.#tell = tell
  }

  async answer(request: Request): Promise<Answer> {
    switch (request.kind) {
      case 'open':
        await this.#engine.warmUp()
        return done
      case 'prepare': {
        const pass = openPass(request.memory, request.stopAfter, this.#rows)
        this.#prepared = { pass, source: this.#phase.calls(request.pass, pass.order) }
        return done
      }
      case 'run':
        return { ...done, ran: await this.#run() }
      case 'close':
        await this.#engine.close()
        return done
    }
  }

  async #run(): Promise<RanPass> {
    if (!this.#prepared) throw new Error('There is nothing to run')
    const { pass, source } = this.#prepared
    const { workers } = this.#phase
    const batch = createBatchWriter()
    const tellUntil = (untilMs: number): void => this.#tell(batch.take(untilMs))
    const readMeter = startThreadMeter(workers)
    const timer = setInterval(() => tellUntil(this.#clock.now()), betweenBatchesMs)
    try {
      await closedLoop({
        workers,
        clock: this.#clock,
        ...takenFirst((nowMs) => pass.take(nowMs, source.next)),
        send: this.#engine.send,
        onStart: pass.start,
        record(call, startMs, endMs, outcome) {
          source.answered?.(call, endMs - startMs)
          batch.add(call, startMs, endMs, outcome)
          if (batch.isFull()) tellUntil(endMs)
        },
      })
    } finally {
      clearInterval(timer)
    }
    tellUntil(Infinity)
    return { digest: source.digest(), health: readMeter() }
  }
}

const done: Answer = { kind: 'answer' }

/** The main thread has compiled the same before. */
function neverWrong(path: Path, reason: string): never {
  throw new Error(`${pathText(path)}: ${reason}`)
}
