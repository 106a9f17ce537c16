import { MongoClient, type Db, type Document } from 'mongodb'
import { systemClock } from '../../../../src/core/clock.ts'
import { createEngine } from '../../../../src/load/engines/create-engine.ts'
import { bundledDriver } from '../../../../src/load/engines/driver/load-driver.ts'
import { createLocalUnit } from '../../../../src/load/local-unit.ts'
import { wholePhase } from '../../../../src/load/plan/share.ts'
import { runLoad } from '../../../../src/load/run-load.ts'
import { type CheckResult } from '../../../../src/results/schema.ts'
import { openChecks } from '../../../../src/run/row-checks.ts'
import { toDatabaseName } from '../../../../src/servers/targets/ownership.ts'
import { compilePhase } from '../../../../src/spec/plan/compile-phase.ts'
import { createDataSet } from '../../../../src/spec/plan/data-set.ts'
import { oneRow } from '../../../fakes/a-spec.ts'
import { fail } from '../../../fakes/fail.ts'

/** A spec that a set runs. */
export type Played = { readonly name: string; readonly [part: string]: unknown }

/** What somebody else does to the data when a phase is over. */
export type Tamper = (db: Db) => Promise<unknown>

/**
 * Loads the data of a spec of one row, and runs its phases with its checks listening; then somebody tampers with what is
 * there, and the checks look.
 */
export async function play(
  uri: string,
  parts: Played,
  tamper: Tamper = async () => {},
): Promise<readonly CheckResult[]> {
  await using client = await MongoClient.connect(uri)
  const { spec } = oneRow({ target: { kind: 'replicaSet', members: 1 }, ...parts })
  const database = toDatabaseName(spec.name)
  const db = client.db(database)
  const signal = new AbortController().signal
  const compile = { seed: spec.seed, report: (_path: unknown, reason: string) => fail(reason) }
  const dataSets = spec.data.map((dataSet, i) => createDataSet(dataSet, ['data', i], compile))
  for (const { spec: data, documentOf } of dataSets) {
    const documents = Array.from({ length: data.rows }, (_, row) => documentOf?.(row).document ?? {})
    if (documents.length > 0) await db.collection(data.collection).insertMany(documents as Document[])
    else await db.createCollection(data.collection)
  }
  const at = { label: '', number: 1, of: 1 }
  const row = { spec, db, dataSets, clock: systemClock, signal, secrets: [], at, emit: () => {} }
  await using checks = openChecks(row)
  for (const [i, phase] of spec.phases.entries()) {
    await checks.phaseBegins(phase.name)
    const plan = compilePhase(phase, ['phases', i], dataSets, compile)
    const { evidence, onEvidence } = checks.observersFor(plan)
    const engine = createEngine({ kind: 'driver', driver: bundledDriver(), uri, database, phase: plan })
    const unit = createLocalUnit({ phase: plan, share: wholePhase, dataSets, engine, clock: systemClock, evidence })
    try {
      await runLoad({
        phase: plan,
        units: [unit],
        dataSets,
        clock: systemClock,
        signal,
        onEvidence,
      })
    } finally {
      await engine.close()
    }
    await checks.phaseEnds(phase.name)
  }
  await tamper(db)
  return await checks.finish([])
}

/** The only check of a spec. */
export async function playOne(uri: string, parts: Played, tamper?: Tamper): Promise<CheckResult> {
  const [only] = await play(uri, parts, tamper)
  return only ?? fail('no check')
}
