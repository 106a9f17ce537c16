import { Problem } from '../../core/errors.ts'
import { type Json, type JsonObject, distinct, isObject, sortedKeys } from '../../core/json.ts'
import { type Result } from '../../results/schema.ts'
import { collectEnvironmentFacts } from '../prose/environment.ts'
import { type DifferenceName, differenceNames } from './difference-names.ts'

type Compared = {
  /** Wording in the message: "the server differs". */
  readonly title: string
  /** Names of `environmentOf` whose values must be the same. */
  readonly facts: readonly string[]
  /** Meaning of the absence of such facts. */
  readonly absent: string
}

/** Properties that must be the same on both sides, unless they are the point of the comparison. */
const compared: Readonly<Record<DifferenceName, Compared>> = {
  spec: { title: 'spec', facts: [], absent: '' },
  topology: { title: 'topology', facts: ['Topology'], absent: 'unknown' },
  server: { title: 'server', facts: ['Server'], absent: 'unknown' },
  engine: { title: 'engine', facts: ['Client engine'], absent: 'driver' },
  driver: { title: 'driver', facts: ['Driver'], absent: 'unknown' },
  load: { title: 'load', facts: ['Workers', 'Open loop', 'Client threads'], absent: 'the default' },
  machine: { title: 'machine', facts: ['Client host', 'Server host', 'Cores'], absent: 'unknown' },
}

/** Difference between two results beside their figures. */
export type Difference = { readonly name: DifferenceName; readonly a: string; readonly b: string }

/** A setting of the environment that differs, and may have changed the figures. */
export type OtherDifference = { readonly name: string; readonly a: string; readonly b: string }

/** All differences of two results that a comparison refuses unless they are named. */
export function findDifferences(a: Result, b: Result): readonly Difference[] {
  const ofFacts = differenceNames.flatMap((name) => {
    const [textA, textB] = [factsText(name, a), factsText(name, b)]
    return textA === textB ? [] : [{ name, a: textA, b: textB }]
  })
  return isSameWork(a, b, ofFacts) ? ofFacts : [{ name: 'spec', a: specText(a), b: specText(b) }, ...ofFacts]
}

export function findOtherDifferences(a: Result, b: Result): readonly OtherDifference[] {
  const known = new Set<string>(Object.values(compared).flatMap(({ facts }) => facts))
  const [ofA, ofB] = [mapFactsByName(a), mapFactsByName(b)]
  const names = [...new Set([...ofA.keys(), ...ofB.keys()])].filter((name) => !known.has(name))
  return names.flatMap((name) => {
    const values = { a: ofA.get(name) ?? 'none', b: ofB.get(name) ?? 'none' }
    return values.a === values.b ? [] : [{ name, ...values }]
  })
}

/**
 * Refuses to compare what differs in more than what the comparison is about.
 * @throws {Problem} "usage" with all such differences.
 */
export function refuseOtherwiseDifferent(found: readonly Difference[], allowed: readonly DifferenceName[]): void {
  const refused = distinct(found.filter(({ name }) => !allowed.includes(name)))
  if (refused.length === 0) return
  const lines = refused.map(({ name, a, b }) => `  ${compared[name].title}: A has ${a}; B has ${b}`)
  const options = [...new Set(refused.map(({ name }) => `--difference ${name}`))].join(' ')
  throw new Problem('usage', `A and B differ in more than their metrics:\n${lines.join('\n')}`, {
    hint: `If that is the point of the comparison, add ${options}. Else measure one of them again, as the other was measured.`,
  })
}

const mapFactsByName = (result: Result): ReadonlyMap<string, string> =>
  new Map(collectEnvironmentFacts(result).map(({ name, value }) => [name, value]))

function factsText(name: DifferenceName, result: Result): string {
  const { facts, absent } = compared[name]
  const known = mapFactsByName(result)
  const values = facts.flatMap((fact) => {
    const value = known.get(fact)
    return value === undefined ? [] : [facts.length === 1 ? value : `${fact} ${value}`]
  })
  return values.length === 0 ? absent : values.join('; ')
}

const specText = ({ spec: { name, hash } }: Result): string => `"${name}" with the hash ${hash.slice(0, 8)}`

/** Whether both sides did the same work. The hash contains engine and load, which are compared by themselves. */
function isSameWork(a: Result, b: Result, others: readonly Difference[]): boolean {
  if (a.spec.hash === b.spec.hash) return a.spec.name === b.spec.name
  const explains = others.some(({ name }) => name === 'engine' || name === 'load')
  return explains && workText(a) === workText(b)
}

/** Parts of a spec that its hash does not contain, and the engine. */
const besideWork = ['name', 'title', 'description', 'report', 'thresholds', 'profiles', 'engine']

/** A spec without engines, loads, and the parameters that only those have used. */
function workText({ spec: { effective } }: Result): string {
  if (!isObject(effective)) return JSON.stringify(effective)
  const { parameters, ...work } = without(effective, besideWork)
  const { phases } = work
  const text = JSON.stringify(
    inOrder({
      ...work,
      ...(Array.isArray(phases) && {
        phases: phases.map((phase: Json) => (isObject(phase) ? without(phase, ['engine', 'load']) : phase)),
      }),
    }),
  )
  return `${text} ${JSON.stringify(isObject(parameters) ? sortedKeys(usedIn(text, parameters)) : parameters)}`
}

/** Parts of a spec whose keys may be in any order. In a document, a sort or an index the order is part of the work. */
const unordered: ReadonlySet<string> = new Set(
  'target server members data phases stopAfter warmup writeConcern readConcern operations steps faults checks'.split(
    ' ',
  ),
)

function inOrder(part: Json): Json {
  if (Array.isArray(part)) return part.map((item: Json) => inOrder(item))
  if (!isObject(part)) return part
  const entries = Object.entries(part).map(([name, inner]) => [name, unordered.has(name) ? inOrder(inner) : inner])
  return sortedKeys(Object.fromEntries(entries) as JsonObject)
}

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))

/** Parameters may use each other, so all of them count where one is used by another. */
function usedIn(text: string, parameters: JsonObject): JsonObject {
  const everywhere = `${text} ${JSON.stringify(parameters)}`
  const isUsed = (name: string): boolean => ['"', '.'].some((end) => everywhere.includes(`{"@param":"${name}${end}`))
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => isUsed(name)))
}
