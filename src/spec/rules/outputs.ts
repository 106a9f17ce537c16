import { type Namespace } from '../../load/engines/intent.ts'
import { type Issue } from '../../language/issues.ts'
import { type Json, type Path } from '../../core/json.ts'
import { findingsOf } from '../../language/reasons.ts'
import { collectionName } from '../schema/data-schema.ts'
import { existingNamespace } from '../schema/namespace.ts'
import { isCalled } from '../operations/index.ts'
import { type Spec } from '../schema/schema.ts'
import { outputStages } from '../../language/values/keys.ts'
import { namespaceOfOutput, type Output, outputOf } from '../plan/outputs.ts'
import { methodsOf, methodsWithPaths } from '../plan/phase-operations.ts'

type Report = (path: Path, reason: string, more?: Partial<Issue>) => void

/** Validates every stage that writes to a collection: it must be the last one of an aggregate, and name its collection. */
export function validateOutputs(spec: Spec, report: Report): void {
  const known = new Set<string>()
  for (const { method, path } of methodsWithPaths(spec)) {
    const output = outputOf(method)
    if (output === undefined) continue
    const place = [...path, ...output.path]
    known.add(JSON.stringify(place))
    validateNamespace(output, namespaceOfOutput(output, method.collection, spec), (reason, more) =>
      report(place, reason, more),
    )
  }
  validateConcerns(spec, report)
  for (const part of ['data', 'phases', 'checks'] as const) {
    eachOutputStage(spec[part] as Json, [part], (place) => {
      if (known.has(JSON.stringify(place))) return
      const reason = `"${place.at(-1)}" may only be the last stage in the "pipeline" of an "aggregate", written out there`
      report(place, reason, { atKey: true, refused: true })
    })
  }
}

/** Refuses concerns that the server or the driver does not support for pipelines with an output. */
function validateConcerns({ phases }: Spec, report: Report): void {
  for (const [p, { operations, writeConcern, readConcern }] of phases.entries()) {
    const output = operations
      .filter(isCalled)
      .flatMap(methodsOf)
      .map(outputOf)
      .find((found) => found !== undefined)
    if (output === undefined) continue
    if (writeConcern.w === 0)
      report(['phases', p, 'writeConcern', 'w'], `the driver waits for the answer of "${output.stage}": take 1 or more`)
    if (readConcern.level === 'linearizable')
      report(
        ['phases', p, 'readConcern', 'level'],
        `the server takes no linearizable read in front of "${output.stage}"`,
      )
  }
}

/** Refuses names that nothing may write to, whatever the command line allows. */
function validateNamespace(
  { stage }: Output,
  namespace: Namespace | undefined,
  report: (reason: string, more?: Partial<Issue>) => void,
): void {
  if (namespace === undefined)
    return report(`"${stage}" must name a collection, with nothing drawn or looked up`, { refused: true })
  const { database, collection } = namespace
  const { findings } =
    database === undefined
      ? findingsOf(collectionName, collection)
      : findingsOf(existingNamespace, `${database}.${collection}`)
  for (const { reason } of findings) report(reason)
}

/** Calls back with the path of each stage that writes to a collection. */
function eachOutputStage(node: Json, path: Path, found: (place: Path) => void): void {
  if (typeof node !== 'object' || node === null) return
  for (const [key, item] of Object.entries(node)) {
    const place = [...path, Array.isArray(node) ? Number(key) : key]
    if ((outputStages as readonly string[]).includes(key)) found(place)
    eachOutputStage(item as Json, place, found)
  }
}
