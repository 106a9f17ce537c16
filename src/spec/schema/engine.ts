import { z } from 'zod'
import type { Path } from '../../core/json.ts'
import { engineKinds } from '../../load/engines/engine-kinds.ts'
import { methodsIn, operationsIn } from '../plan/phase-operations.ts'
import type { Rule } from '../rules/rule.ts'

/** Operations and steps that only the engine "driver" calls, and why. */
const ofDriver: ReadonlyMap<string, string> = new Map([
  ['gridfsUpload', 'buckets are a part of the driver'],
  ['gridfsDownload', 'buckets are a part of the driver'],
  ['function', 'it is called with a client of the driver'],
  ['changeStream', 'it is the driver that resumes a stream'],
])

/** Refuses in phases of the engine "wire" what only the driver does. */
export const engineRule: Rule = {
  name: 'engines',
  reads: ['target'],
  check({ phases, target }, report, { overrides: { engine: requested } }) {
    const way =
      requested === undefined
        ? 'set "engine": "driver" for this phase'
        : `leave out --engine ${requested}, which applies to all phases`
    const refuse = (path: Path, what: string, reason: string): void =>
      report(path, `${what} needs the engine "driver": ${reason}; ${way}`)
    for (const [p, { engine, retries }] of phases.entries())
      if (engine !== 'driver' && retries === 'driver')
        refuse(['phases', p, 'retries'], '"retries": "driver"', 'the engine "wire" retries nothing')
    const refuseKind = (kind: string, path: Path): void => {
      const reason = ofDriver.get(kind)
      if (reason !== undefined) refuse(path, `"${kind}"`, reason)
    }
    for (const { phase, method, path } of methodsIn({ phases }))
      if (phase.engine !== 'driver') refuseKind(method.kind, path)
    for (const { phase, operation, path } of operationsIn({ phases })) {
      if (phase.engine === 'driver') continue
      refuseKind(operation.kind, path)
      if (operation.kind !== 'transaction') continue
      if (operation.runner === 'withTransaction')
        refuse([...path, 'runner'], '"runner": "withTransaction"', 'it is a method of the driver')
      if (target.kind === 'sharded')
        refuse(path, 'a transaction on a sharded cluster', 'it has to stay with one router')
    }
  },
}

const engine = z.enum(engineKinds)

export const engineOfSpec = engine
  .default('driver')
  .describe(
    'What sends the operations. "driver": the official driver, including its cost: what an application sees. "wire": connections that write prebuilt messages and check replies without decoding them, so the client needs a fraction of the CPU and the capacity of the server is measured; no compression, no retries. Results of different engines cannot be compared. Default "driver".',
  )

export const engineOfPhase = engine
  .optional()
  .describe('What sends the operations of this phase. Default: the engine of the spec.')
