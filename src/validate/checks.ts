import { nameOfFault } from '../faults/index.ts'
import { type CheckNames } from '../checks/check.ts'
import { getCheck, nameOfCheck } from '../checks/index.ts'
import { type MethodKind } from '../engines/intent.ts'
import { mayChangeCount, replyTraits } from '../engines/reply-traits.ts'
import { type Path } from '../json.ts'
import { suggestion } from '../language/issues.ts'
import { modelsOf } from '../operations/bulk-models.ts'
import { getOperation, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { type Spec } from '../schema/schema.ts'
import { type Report } from '../values/scope.ts'
import { validateFixed } from './fixed.ts'
import { findInsert, findOperation, whyUnheard } from '../plan/heard-operations.ts'
import { nameOf } from '../plan/names.ts'
import { methodsOf, calledIn, methodsWithPaths } from '../plan/phase-operations.ts'
import { outputOf } from '../plan/outputs.ts'

type Tell = (path: Path, reason: string) => void

/** Whether checks have names of their own, name what there is, and can know what they have to. */
export function validateChecks(spec: Spec, report: Report): void {
  checkCheckNames(spec, report)
  for (const [i, check] of spec.checks.entries()) {
    const tell: Tell = (path, reason) => report(['checks', i, ...path], reason)
    const names = getCheck(check.kind).names(check as never)
    checkNamed(names, spec, tell)
    for (const insert of names.inserts ?? []) {
      const found = findInsert(insert, spec)
      if ('reason' in found) tell(insert.path, found.reason)
      else if (names.keepsInserted === true) checkKept(found.collection, spec, (reason) => tell(insert.path, reason))
    }
    if (names.counted) checkCounted(names.counted, spec, tell)
    for (const { path, node } of names.values ?? []) validateFixed(node, ['checks', i, ...path], report)
    if (names.snapshots === true && spec.target.kind === 'standalone')
      tell(['during'], 'a standalone server has no snapshots to read; set "target": {"kind": "replicaSet"}')
  }
}

/** Addresses tell phases, operations and checks apart by their names alone. */
function checkCheckNames({ checks, phases }: Spec, report: Report): void {
  const taken = new Set(
    phases.flatMap(({ name, operations, faults = [] }) => [
      name,
      ...operations.map(nameOf),
      ...faults.map(nameOfFault),
    ]),
  )
  for (const [i, check] of checks.entries()) {
    const name = nameOfCheck(check)
    if (taken.has(name))
      report(
        ['checks', i],
        `"${name}" is the name of a phase, an operation, a fault or another check; give this one another "name"`,
      )
    taken.add(name)
  }
}

function checkNamed({ collections = [], phases = [] }: CheckNames, spec: Spec, tell: Tell): void {
  const collectionNames = spec.data.map(({ collection }) => collection)
  const phaseNames = spec.phases.map(({ name }) => name)
  for (const { path, name } of collections)
    if (!collectionNames.includes(name))
      tell(path, `there is no collection "${name}" in "data"${suggestion(name, collectionNames)}`)
  for (const { path, name } of phases)
    if (!phaseNames.includes(name)) tell(path, `there is no phase "${name}"${suggestion(name, phaseNames)}`)
}

/** What is taken away on purpose is not lost. */
function checkKept(name: string, spec: Spec, tell: (reason: string) => void): void {
  const remover = methodsWithPaths(spec).find(({ method }) => removesFrom(name, method, spec))
  if (remover !== undefined)
    return tell(`${remover.method.kind} takes documents of "${name}" away: those that are gone would not be lost`)
  const { options, indexes = [] } = spec.data.find(({ collection }) => collection === name) ?? {}
  if (options?.capped === true) tell(`"${name}" is capped, and loses documents as others come`)
  else if (indexes.some(({ expireAfterSeconds }) => expireAfterSeconds !== undefined))
    tell(`documents of "${name}" expire`)
}

const removes = (kind: MethodKind): boolean => replyTraits[getOperation(kind).reply].mayRemove > 0

function removesFrom(name: string, method: MethodOperationSpec | StepSpec, { data }: Spec): boolean {
  const own = method.collection ?? data[0]?.collection
  if (outputOf(method)?.stage === '$out') return true
  if ('operations' in method)
    return modelsOf(method).some(({ kind, model }) => removes(kind) && (model.collection ?? own) === name)
  return removes(method.kind) && own === name
}

function checkCounted({ collection, operations }: NonNullable<CheckNames['counted']>, spec: Spec, tell: Tell): void {
  for (const { path, address } of operations) {
    const found = findOperation(address, spec)
    const reason = 'reason' in found ? found.reason : whyUnheard(found.phase)
    if (reason !== null) tell(path, reason)
  }
  for (const phase of operations.length === 0 ? spec.phases : []) {
    const writes = calledIn(phase).some(({ spec: operation }) =>
      methodsOf(operation).some((method) => changesNumberOf(collection, method, spec)),
    )
    const reason = writes ? whyUnheard(phase) : null
    if (reason !== null) tell(['collection'], reason)
  }
  const uncounted = methodsWithPaths(spec).find(({ method }) => isUncounted(collection, method, spec))
  if (uncounted !== undefined)
    tell(
      ['collection'],
      `what ${uncounted.method.kind} does to "${collection}" alone is not told by its reply: say how many documents there must be, as "expected"`,
    )
}

/** Those of a bulk over several collections are not counted at all. */
const changesNumberOf = (name: string, method: MethodOperationSpec | StepSpec, { data }: Spec): boolean =>
  method.kind !== 'clientBulkWrite' &&
  mayChangeCount(getOperation(method.kind).reply) &&
  (method.collection ?? data[0]?.collection) === name

/** A bulk over several collections gives one sum for all of them, and an output none. */
function isUncounted(name: string, method: MethodOperationSpec | StepSpec, { data }: Spec): boolean {
  if (outputOf(method) !== undefined) return true
  if (method.kind !== 'clientBulkWrite') return false
  const own = method.collection ?? data[0]?.collection
  return modelsOf(method).some(({ model }) => (model.collection ?? own) === name)
}
