// Runs as a thread of its own; see thread-work.ts.
import { parentPort, workerData } from 'node:worker_threads'
import { type Path, pathText } from '../../core/json.ts'
import { startFineTimer } from '../../core/threads/fine-timer.ts'
import { createEngine } from '../../load/engines/create-engine.ts'
import { bundledDriver } from '../../load/engines/driver/load-driver.ts'
import { phaseForDriver } from '../../load/engines/driver/translate.ts'
import { importFunctions } from '../../load/engines/load-functions.ts'
import { type LoadUnit } from '../../load/load-unit.ts'
import { createLocalUnit } from '../../load/local-unit.ts'
import { startThreadMeter } from '../../load/measure/client-health.ts'
import { createRowNumbers } from '../../load/plan/row-numbers.ts'
import { computeSharePart } from '../../load/plan/share.ts'
import { type Answer, type Message, type Notice, packError, type Request } from '../../load/threads/messages.ts'
import { clockWithOrigin } from '../../load/threads/thread-clock.ts'
import { compilePhase } from '../../spec/plan/compile-phase.ts'
import { createDataSet } from '../../spec/plan/data-set.ts'
import { unpackSamples } from './packed-samples.ts'
import { type ThreadWork } from './thread-work.ts'

if (!parentPort) throw new Error('This file is run by a thread')
const port = parentPort
const post = (message: Message): void => port.postMessage(message, [])

const beatMs = 1_000
let unit: LoadUnit | undefined

async function createUnit({ uri, database, seed, data, share, firstRows, ...work }: ThreadWork): Promise<LoadUnit> {
  const context = { seed, report: neverWrong, data }
  const dataSets = data.map((spec, i) =>
    createDataSet(spec, ['data', i], context, createRowNumbers(firstRows[i] ?? spec.rows)),
  )
  unpackSamples(dataSets, work.samples)
  const driver = bundledDriver()
  const compiled = phaseForDriver(compilePhase(work.phase, ['phase'], dataSets, context), driver)
  const { workers, pool } = compiled
  // An agent may have more threads than the pool has connections.
  const maxPoolSize = Math.max(1, computeSharePart(pool?.maxPoolSize ?? 0, share))
  const phase = {
    ...compiled,
    workers: computeSharePart(workers, share),
    pool: pool && { ...pool, maxPoolSize },
  }
  const functions = work.functionsFrom === undefined ? {} : await importFunctions(work.functionsFrom)
  const engine = createEngine({ kind: phase.engine, driver, functions, uri, database, phase })
  const clock = clockWithOrigin(work.clockOriginMs)
  const { evidence, mayRunUntil, clockOriginMs } = work
  const mayGoOn = mayRunUntil && ((): boolean => clock.now() + clockOriginMs < (mayRunUntil[0] ?? 0))
  return createLocalUnit({ phase, share, dataSets, engine, clock, evidence, mayGoOn, startTimer: startFineTimer })
}

/** The main thread has compiled the same before. */
function neverWrong(path: Path, reason: string): never {
  throw new Error(`${pathText(path)}: ${reason}`)
}

async function act(asked: LoadUnit, request: Request): Promise<Answer> {
  switch (request.kind) {
    case 'connect':
      await asked.connect(request.workers)
      return { kind: 'answer' }
    case 'run': {
      const readMeter = startThreadMeter(request.request.workers)
      const ran = await asked.run(request.request, (part) => post({ kind: 'part', part }))
      const health = readMeter()
      return { kind: 'answer', ran: ran.map((one) => Object.assign(one, { health })) }
    }
    case 'close':
      await asked.close()
      return { kind: 'answer' }
  }
}

async function answer(request: Request): Promise<Message> {
  try {
    unit ??= await createUnit(workerData as ThreadWork)
    return await act(unit, request)
  } catch (error) {
    return { kind: 'failed', error: packError(error) }
  }
}

post({ kind: 'beat' })
setInterval(() => post({ kind: 'beat' }), beatMs).unref()

port.on('message', (message: Request | Notice) => {
  if (message.kind === 'stop') unit?.stop(message.reason)
  else if (message.kind === 'abandon') unit?.abandon()
  else void answer(message).then(post)
})
