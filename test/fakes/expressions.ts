import * as fc from 'fast-check'
import { type Json } from '../../src/core/json.ts'
import { functions } from '../../src/language/functions/index.ts'

const scalars = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, 1, 2, -1, 1.5, 2 ** 40, '', 'a', 'b.c', '7'),
  fc.constantFrom<Json>(
    { $numberLong: '5' },
    { $numberDouble: '2.0' },
    { $date: '2026-01-01T00:00:00Z' },
    { $oid: '0123456789abcdef01234567' },
  ),
)

const steps = fc.constantFrom('', '', '.a', '.0', '.a.1', '.constructor', '.$numberLong')

const read = (keyword: string, names: readonly string[]): readonly fc.Arbitrary<Json>[] =>
  names.length === 0
    ? []
    : [fc.tuple(fc.constantFrom(...names), steps).map(([name, path]): Json => ({ [keyword]: `${name}${path}` }))]

/**
 * Random expressions in which nothing is drawn or measured.
 * @param parameters Names that `@param` reads.
 * @param names Names that `@var` reads.
 */
export function expressions(
  parameters: readonly string[],
  depth = 4,
  names: readonly string[] = [],
): fc.Arbitrary<Json> {
  const leaf = fc.oneof(scalars, ...read('@param', parameters), ...read('@var', names))
  if (depth === 0) return leaf
  const inner = expressions(parameters, depth - 1, names)
  const list = fc.array(inner, { maxLength: 3 })
  const mapped = fc
    .constantFrom('n', 'm')
    .chain((as) => fc.tuple(list, fc.constant(as), expressions(parameters, depth - 1, [...names, as])))
  return fc.oneof(
    leaf,
    list,
    fc.dictionary(fc.constantFrom('a', 'b', 'toString'), inner, { maxKeys: 2 }),
    fc.tuple(fc.constantFrom(...functions), list).map(([{ keyword }, args]): Json => ({ [keyword]: args })),
    fc.tuple(fc.constantFrom(...functions), inner).map(([{ keyword }, argument]): Json => ({ [keyword]: argument })),
    fc.tuple(inner, inner, inner).map((parts): Json => ({ '@cond': parts })),
    mapped.map(([input, as, body]): Json => ({ '@map': { input, as, in: body } })),
    fc.constantFrom<Json>([1, 2], { a: 3 }, { '@add': [1] }, 'x').map((value): Json => ({ '@literal': value })),
  )
}
