import { isObject, type Json, jsonText } from '../../core/json.ts'
import { expressionsIn } from '../../language/expression.ts'
import { sampleKey } from '../../language/generators/sample.ts'
import { type Spec } from '../schema/schema.ts'
import { listNames } from './copies.ts'

/** The paths whose values the calls of a row draw with `@sample`, as keys of `sampleKey`, by the name of the collection. */
export function samplePaths({ data, phases }: Pick<Spec, 'data' | 'phases'>): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>()
  const add = (collection: string, key: string): void => {
    const known = keys.get(collection)
    if (known) known.add(key)
    else keys.set(collection, new Set([key]))
  }
  const find = (part: object, collection: string | undefined): void => {
    for (const { keyword, argument } of expressionsIn(part as Json)) {
      if (keyword !== '@sample' || !isObject(argument)) continue
      const of = argument['of'] ?? collection ?? data[0]?.collection
      const { path, paths } = argument
      const together = Array.isArray(paths) ? { paths: paths.map(jsonText) } : { path: jsonText(path ?? null) }
      add(jsonText(of ?? null), sampleKey(together))
    }
  }
  for (const operation of phases.flatMap(({ operations }) => operations)) {
    if (!('steps' in operation)) find(operation, 'collection' in operation ? listNames(operation, data)[0] : undefined)
    else {
      const { steps, ...rest } = operation
      find(rest, undefined)
      for (const step of steps) find(step, listNames(step, data)[0])
    }
  }
  return keys
}
