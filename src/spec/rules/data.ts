import { type Issue, type Issues, suggestion } from '../../language/issues.ts'
import { readNamespace } from '../schema/namespace.ts'
import { addOf, isWhole, type SpecRow } from '../schema/read-rows.ts'
import { type Spec } from '../schema/schema.ts'
import { findDataFile } from '../schema/data-file.ts'
import { type Json, type Path } from '../../core/json.ts'
import { databaseOf } from '../../servers/targets/ownership.ts'
import { validateFixed } from '../../language/values/fixed-value.ts'
import { validateOutputs } from './outputs.ts'
import { validateBalancer, validateSharding } from './sharding.ts'
import { writersOf } from '../plan/writers.ts'

/** What validation needs to know about data outside of the spec. */
export type DataContext = {
  /** The folder to which paths of data files are relative. Undefined: they are on another machine. */
  readonly folder: string | undefined
  /** Existing collections that may be written to, as "database.collection". */
  readonly allowWrites: readonly string[]
}

/** Validates the data of a row: whether it can be loaded or exists, and whether writes to existing collections are allowed. */
export function validateData(row: SpecRow, { folder, allowWrites }: DataContext, issues: Issues): void {
  const { spec, source } = row
  const report = (path: Path, reason: string, more: Partial<Issue> = {}): void =>
    addOf(row, { path: source(path), reason, ...more }, issues)
  const knowsTarget = isWhole(row, ['target'])
  for (const [i, dataSet] of spec.data.entries()) {
    const { file, existing, options, indexes } = dataSet
    if (file !== undefined && folder !== undefined) {
      const found = findDataFile(file, folder)
      if (found.reason !== undefined) report(['data', i, 'file'], found.reason)
    }
    if (existing !== undefined && knowsTarget)
      validateExisting(existing, spec, (reason) => report(['data', i, 'existing'], reason))
    validateFixed((options ?? null) as Json, ['data', i, 'options'], report)
    validateFixed(indexes as Json, ['data', i, 'indexes'], report)
    if (knowsTarget) validateSharding(dataSet, spec.target, ['data', i], report)
  }
  validateBalancer(spec.data, report)
  if (!isWhole(row, ['data'])) return
  validateViews(spec, report)
  validateOutputs(spec, report)
  refuseWrites(spec, allowWrites, (path, reason) => report(path, reason, { refused: true }))
}

function validateExisting(existing: string, { target, name }: Spec, report: (reason: string) => void): void {
  if (readNamespace(existing)?.database === databaseOf(name))
    report('is in the database that runs of this spec use, where collections are dropped')
  else if (target.kind !== 'existing')
    report(
      `a server that is started for the run does not have "${existing}": set "target": {"kind": "existing"}, or run with --uri`,
    )
}

/** A view shows a collection of the same database, and takes no writes. */
function validateViews(spec: Spec, report: (path: Path, reason: string) => void): void {
  const created = spec.data.flatMap(({ collection, existing }) => (existing === undefined ? collection : []))
  const views = new Set<string>()
  for (const [i, { collection, options }] of spec.data.entries()) {
    if (options?.viewOn === undefined) continue
    views.add(collection)
    const others = created.filter((name) => name !== collection)
    if (!others.includes(options.viewOn))
      report(
        ['data', i, 'options', 'viewOn'],
        `"data" creates no collection "${options.viewOn}"${suggestion(options.viewOn, others)}`,
      )
  }
  for (const { path, word, namespaces } of writersOf(spec)) {
    const view = namespaces.find(({ database, collection }) => database === undefined && views.has(collection))
    if (view !== undefined) report(path, `"${word}" would write to "${view.collection}", which is a view`)
  }
}

function refuseWrites(spec: Spec, allowed: readonly string[], refuse: (path: Path, reason: string) => void): void {
  for (const { path, word, namespaces } of writersOf(spec)) {
    const guarded = namespaces.flatMap(({ database, collection }) =>
      database === undefined ? [] : `${database}.${collection}`,
    )
    const name = guarded.find((other) => !allowed.includes(other))
    if (name !== undefined)
      refuse(
        path,
        `"${word}" would write to "${name}", which mongo-perf did not create; if that is what you want, add --allow-writes ${name}`,
      )
  }
}
