import { isObject, type Json, jsonText } from '../../core/json.ts'
import { expressionsIn } from '../../language/expression.ts'
import { sampleKey } from '../../language/generators/sample.ts'
import { type Spec } from '../schema/schema.ts'
import { type Addressed, listNames } from './addressed.ts'
import { operationsIn } from './phase-operations.ts'

/** The paths whose values the calls of a row draw with `@sample`, as keys of `sampleKey`, by the name of the collection. */
export function samplePaths({ data, phases }: Pick<Spec, 'data' | 'phases'>): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>()
  const parts: object[] = []
  for (const { operation } of operationsIn({ phases }))
    if ('steps' in operation) {
      const { steps, ...others } = operation
      parts.push(others, ...steps)
    } else parts.push(operation)
  for (const part of parts)
    for (const { keyword, argument } of expressionsIn(part as unknown as Json)) {
      if (keyword !== '@sample' || !isObject(argument)) continue
      const { of = listNames(part as Addressed, data)[0] ?? null, path = null } = argument
      const key = sampleKey({ path: Array.isArray(path) ? path.map(jsonText) : jsonText(path) })
      keys.set(jsonText(of), new Set([...(keys.get(jsonText(of)) ?? []), key]))
    }
  return keys
}
