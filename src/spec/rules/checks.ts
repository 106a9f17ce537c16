import { type Report, suggestion } from '../../language/issues.ts'
import { validateFixed } from '../../language/values/fixed-value.ts'
import { type MethodKind } from '../../load/engines/intent.ts'
import { mayChangeCount, replyTraits } from '../../load/engines/reply-traits.ts'
import { type CheckNames } from '../../servers/checks/check.ts'
import { getCheck, nameOfCheck } from '../../servers/checks/index.ts'
import { nameOfFault } from '../../servers/faults/index.ts'
import { listWriteModels, type ModelSpec } from '../operations/bulk-models.ts'
import { getOperation, getOperationName, type MethodOperationSpec, type StepSpec } from '../operations/index.ts'
import { listNames } from '../plan/addressed.ts'
import { findInsert, findOperation, whyUnobserved } from '../plan/observed-operations.ts'
import { findPipelineOutput } from '../plan/outputs.ts'
import { listMethods, calledIn, methodsIn } from '../plan/phase-operations.ts'
import { type Spec } from '../schema/schema.ts'
import { type Rule } from './rule.ts'

/** Validates the checks: their names, the things that they name, and whether the spec allows a verdict. */
export const checkRule: Rule = {
  name: 'checks',
  reads: ['target', 'data', 'phases'],
  check(spec, report) {
    validateCheckNames(spec, report)
    for (const [i, check] of spec.checks.entries()) {
      const reportHere: Report = (path, reason) => report(['checks', i, ...path], reason)
      const names = getCheck(check.kind).names(check as never)
      validateNamed(names, spec, reportHere)
      validateInserts(names, spec, reportHere)
      if (names.counted) validateCounted(names.counted, spec, reportHere)
      for (const { path, node } of names.values ?? []) validateFixed(node, ['checks', i, ...path], report)
      if (names.snapshots === true && spec.target.kind === 'standalone')
        reportHere(['during'], 'a standalone server has no snapshots to read; set "target": {"kind": "replicaSet"}')
    }
  },
}

function validateInserts({ inserts = [], keepsInserted = false }: CheckNames, spec: Spec, reportHere: Report): void {
  for (const insert of inserts) {
    const found = findInsert(insert, spec)
    const reason = 'reason' in found ? found.reason : keepsInserted ? findRemoval(found.collection, spec) : undefined
    if (reason !== undefined) reportHere(insert.path, reason)
  }
}

/** Addresses identify phases, operations, faults and checks by name, so names must be unique. */
function validateCheckNames({ checks, phases }: Spec, report: Report): void {
  const taken = new Set(
    phases.flatMap(({ name, operations, faults = [] }) => [
      name,
      ...operations.map(getOperationName),
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

function validateNamed({ collections = [], phases = [] }: CheckNames, spec: Spec, reportHere: Report): void {
  const collectionNames = spec.data.map(({ collection }) => collection)
  const phaseNames = spec.phases.map(({ name }) => name)
  for (const { path, name } of collections) {
    const found = spec.data.find(({ collection }) => collection === name)
    if (found === undefined)
      reportHere(path, `there is no collection "${name}" in "data"${suggestion(name, collectionNames)}`)
    else if (found.collections !== undefined)
      reportHere(path, `"${name}" has several collections, and a check reads one`)
  }
  for (const { path, name } of phases)
    if (!phaseNames.includes(name)) reportHere(path, `there is no phase "${name}"${suggestion(name, phaseNames)}`)
}

/** Why a document may be missing that was not lost. */
function findRemoval(name: string, spec: Spec): string | undefined {
  const remover = methodsIn(spec).find(({ method }) => removesFrom(name, method, spec))
  if (remover !== undefined)
    return `${remover.method.kind} may remove documents of "${name}": a missing document would not be a lost one`
  const { options, indexes = [] } = spec.data.find(({ collection }) => collection === name) ?? {}
  if (options?.capped === true) return `"${name}" is capped, and removes documents as others are inserted`
  const expires = indexes.some((index) => index['expireAfterSeconds'] !== undefined)
  return expires ? `documents of "${name}" expire` : undefined
}

const removes = (kind: MethodKind): boolean => replyTraits[getOperation(kind).reply].mayRemove > 0

function removesFrom(name: string, method: MethodOperationSpec | StepSpec, { data }: Spec): boolean {
  const own = listNames(method, data)
  if (findPipelineOutput(method)?.stage === '$out' || method.kind === 'function') return true
  if ('operations' in method)
    return listWriteModels(method).some(({ kind, model }) => removes(kind) && listModelNames(model, own).includes(name))
  return removes(method.kind) && own.includes(name)
}

function validateCounted(
  { collection, operations }: NonNullable<CheckNames['counted']>,
  spec: Spec,
  reportHere: Report,
): void {
  for (const { path, address } of operations) {
    const found = findOperation(address, spec)
    const reason = 'reason' in found ? found.reason : whyUnobserved(found.phase)
    if (reason !== null) reportHere(path, reason)
  }
  for (const phase of operations.length === 0 ? spec.phases : []) {
    const writes = calledIn(phase).some(({ spec: operation }) =>
      listMethods(operation).some((method) => changesDocumentCount(collection, method, spec)),
    )
    const reason = writes ? whyUnobserved(phase) : null
    if (reason !== null) reportHere(['collection'], reason)
  }
  const uncounted = methodsIn(spec).find(({ method }) => isUncounted(collection, method, spec))
  if (uncounted !== undefined)
    reportHere(
      ['collection'],
      `the reply of ${uncounted.method.kind} does not report what it does to "${collection}" alone: give the number of documents as "expected"`,
    )
}

/** Checks for changes of the document count. Those of a bulk over several collections are not counted at all. */
const changesDocumentCount = (name: string, method: MethodOperationSpec | StepSpec, { data }: Spec): boolean =>
  method.kind !== 'clientBulkWrite' &&
  mayChangeCount(getOperation(method.kind).reply) &&
  listNames(method, data).includes(name)

/** The reply of a bulk over several collections has one sum for all of them, and that of an output or a function none. */
function isUncounted(name: string, method: MethodOperationSpec | StepSpec, { data }: Spec): boolean {
  if (findPipelineOutput(method) !== undefined || method.kind === 'function') return true
  if (method.kind !== 'clientBulkWrite') return false
  const own = listNames(method, data)
  return listWriteModels(method).some(({ model }) => listModelNames(model, own).includes(name))
}

const listModelNames = ({ collection }: ModelSpec, own: readonly string[]): readonly string[] =>
  collection === undefined ? own : [collection]
