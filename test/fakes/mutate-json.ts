import { isObject, type Json, type Path } from '../../src/core/json.ts'
import { type Stream } from '../../src/core/random.ts'

/** Values that people and programs put where they do not belong. */
const oddValues: readonly Json[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  '',
  'x',
  '__proto__',
  '$where',
  [],
  {},
  [[]],
  { '@param': 'documents' },
  { '@var': 'x' },
  { '@int': {} },
  { '@key': { distribution: 'zipfian' } },
  { '@literal': { a: 1 } },
  { '@nonsense': 1 },
  { '@cond': [true] },
  { $numberLong: '9223372036854775808' },
  { $oid: 'no' },
]

/** Every place of a document, the whole of it left out. */
function placesIn(node: Json, path: Path = [], found: Path[] = []): readonly Path[] {
  if (typeof node !== 'object' || node === null) return found
  for (const step of Array.isArray(node) ? node.keys() : Object.keys(node)) {
    const here = [...path, step]
    found.push(here)
    placesIn(memberOf(node, step), here, found)
  }
  return found
}

const memberOf = (node: Json, step: string | number): Json =>
  (node as Readonly<Record<string | number, Json>>)[step] ?? null

const nodeAt = (node: Json, path: Path): Json => path.reduce(memberOf, node)

/** A copy with the node at a place replaced; undefined takes it out. */
function withNode(node: Json, [step, ...rest]: Path, made: Json | undefined): Json {
  if (step === undefined) return made ?? null
  const next = rest.length === 0 ? made : withNode(memberOf(node, step), rest, made)
  if (Array.isArray(node))
    return node.flatMap((item: Json, i) => (i === step ? (next === undefined ? [] : [next]) : [item]))
  const entries = Object.entries(node as object) as [string, Json][]
  return Object.fromEntries(
    entries.flatMap(([key, item]) => (key === step ? (next === undefined ? [] : [[key, next]]) : [[key, item]])),
  )
}

function withKey(node: Json, path: Path, key: string): Json {
  const parent = nodeAt(node, path.slice(0, -1))
  if (!isObject(parent)) return node
  const renamed = Object.entries(parent).map(([own, item]) => [own === path.at(-1) ? key : own, item])
  return withNode(node, path.slice(0, -1), Object.fromEntries(renamed) as Json)
}

type Mutation = (node: Json, path: Path, other: Json, stream: Stream) => Json

/** What can be done to one place; the other document gives parts that are right somewhere else. */
const mutations: readonly Mutation[] = [
  (node, path) => withNode(node, path, undefined),
  (node, path, _other, stream) => withNode(node, path, oddValues[stream.below(oddValues.length)] ?? null),
  (node, path, other, stream) => {
    const places = placesIn(other)
    return withNode(node, path, nodeAt(other, places[stream.below(places.length)] ?? []))
  },
  (node, path) => withNode(node, path, [nodeAt(node, path), nodeAt(node, path)]),
  (node, path) => withNode(node, path, { a: nodeAt(node, path) }),
  (node, path) => withKey(node, path, `${String(path.at(-1))}s`),
  (node, path, other, stream) => {
    const places = placesIn(other)
    return withKey(node, path, String(places[stream.below(places.length)]?.at(-1)))
  },
]

/** A document with one to three of its places changed. */
export function mutateJson(document: Json, other: Json, stream: Stream): Json {
  let mutated = document
  for (let times = 1 + stream.below(3); times > 0; times--) {
    const places = placesIn(mutated)
    const path = places[stream.below(places.length)]
    const mutate = mutations[stream.below(mutations.length)]
    if (path && mutate) mutated = mutate(mutated, path, other, stream)
  }
  return mutated
}

/** A text with a few of its letters changed, so that it may not even be JSON any more. */
export function mutateText(text: string, stream: Stream): string {
  const letters = [...text]
  for (let times = 1 + stream.below(3); times > 0; times--) {
    const odd = '{}[]",:@$\\0e-\u0000'
    letters.splice(stream.below(letters.length), stream.below(3), odd[stream.below(odd.length)] ?? '')
  }
  return letters.join('')
}
