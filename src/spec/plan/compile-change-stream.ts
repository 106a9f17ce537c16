import { isObject, type Json, type Path } from '../../core/json.ts'
import { type ChangeStreamSpec, changeStreamOptions } from '../operations/change-stream.ts'
import { expressionsIn } from '../../language/expression.ts'
import { compileValue } from '../../language/values/compile.ts'
import { createDrawContext } from '../../language/values/draw-context.ts'
import { child } from '../../language/values/scope.ts'
import { nameOf } from './names.ts'
import { findDataSet, operationScope, type PhaseScope } from './phase-scope.ts'
import { type StreamPlan } from '../../load/plan/plan.ts'

/** Compiles a change stream. It is opened once, so all of it must be known beforehand; what is not is reported. */
export function compileChangeStream(spec: ChangeStreamSpec, path: Path, phase: PhaseScope): StreamPlan {
  const { kind, collection, since } = spec
  const dataSet = findDataSet(phase, collection, (reason) =>
    phase.report(collection === undefined ? path : [...path, 'collection'], reason),
  )
  const scope = operationScope(phase, { place: '', path, collection })
  const constant = (node: Json, ...steps: Path): unknown => {
    if (expressionsIn(node).every(({ keyword }) => keyword === '@literal'))
      return compileValue(node, child(scope, ...steps))(createDrawContext())
    const reason = 'a change stream is opened once, before the first call: nothing can be drawn or looked up here'
    phase.report([...path, ...steps], reason)
    return null
  }
  const pipeline = spec.pipeline.map((stage, i) => {
    if (!isObject(stage)) phase.report([...path, 'pipeline', i], 'must be an object')
    return constant(stage, 'pipeline', i)
  })
  const given = Object.entries(spec).filter(
    ([name, it]) => Object.hasOwn(changeStreamOptions, name) && it !== undefined,
  )
  return {
    name: nameOf(spec),
    kind,
    database: dataSet?.namespace.database,
    collection: dataSet?.namespace.collection ?? '',
    since,
    pipeline,
    options: Object.fromEntries(given.map(([name, node]) => [name, constant(node as Json, name)])),
  }
}
