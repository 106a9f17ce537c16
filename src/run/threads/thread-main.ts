// Runs as a thread of its own; see thread-work.ts.
import { workerData } from 'node:worker_threads'
import { type Path, pathText } from '../../core/json.ts'
import { startFineTimer } from '../../core/threads/fine-timer.ts'
import { createEngine } from '../../load/engines/create-engine.ts'
import { bundledDriver } from '../../load/engines/driver/load-driver.ts'
import { phaseForDriver } from '../../load/engines/driver/translate.ts'
import { importFunctions } from '../../load/engines/load-functions.ts'
import type { LoadUnit } from '../../load/load-unit.ts'
import { createLocalUnit } from '../../load/local-unit.ts'
import { createRowNumbers } from '../../load/plan/row-numbers.ts'
import { computeSharePart } from '../../load/plan/share.ts'
import { serveUnit } from '../../load/threads/serve-unit.ts'
import { clockWithOrigin, mayGoOnUntil } from '../../load/threads/thread-clock.ts'
import { compilePhase } from '../../spec/plan/compile-phase.ts'
import { createDataSet } from '../../spec/plan/data-set.ts'
import { type ThreadWork, unpackSamples } from './thread-work.ts'

serveUnit(() => createUnit(workerData as ThreadWork))

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
  const { evidence } = work
  const mayGoOn = mayGoOnUntil(work, clock)
  return createLocalUnit({ phase, share, dataSets, engine, clock, evidence, mayGoOn, startTimer: startFineTimer })
}

/** The main thread has compiled the same before. */
function neverWrong(path: Path, reason: string): never {
  throw new Error(`${pathText(path)}: ${reason}`)
}
