import { type Json, type Path } from '../../core/json.ts'
import { expressionsIn } from '../../language/expression.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import { getOperation } from '../operations/index.ts'
import { listNames } from '../plan/addressed.ts'
import { calledIn, groupLoads, listMethods } from '../plan/phase-operations.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { type Rule } from './rule.ts'

/** Validates parallel loads: their times, and what does not go together with others. */
export const loadsRule: Rule = {
  name: 'loads',
  reads: [],
  check(spec, report) {
    for (const loads of groupLoads(spec.phases))
      for (const load of loads)
        for (const [isWrong, at, reason] of listFlaws(load, loads, spec))
          if (isWrong) report(['phases', spec.phases.indexOf(load), ...at], reason)
  },
}

type Flaw = readonly [isWrong: boolean, at: Path, reason: string]

const together = 'parallel loads end by "seconds": leave this out'
const inTurn = 'leave this out: with loads that are on and off in turn, every load takes part for the whole window'

function listFlaws(one: PhaseSpec, all: readonly PhaseSpec[], spec: Spec): readonly Flaw[] {
  const { name, load, parallel, stopAfter = {}, faults = [] } = one
  if (parallel === undefined) return []
  const { phase, from, until, alternate, alternation } = parallel
  const turns = alternate === undefined ? undefined : alternation
  const taken = all.slice(0, all.indexOf(one)).flatMap((other) => findTakenTwice(one, other, spec))[0]
  return [
    [spec.phases.some((other) => other.name === phase), ['name'], `"${phase}" is the name of a phase and of a load`],
    [(stopAfter.seconds ?? 1) <= 0, ['parallel'], '"from" is below "until", and below the "seconds" of the phase'],
    [alternation !== undefined && from > 0, ['parallel', 'from'], inTurn],
    [alternation !== undefined && until !== undefined, ['parallel', 'until'], inTurn],
    [
      turns !== undefined && turns.load !== name,
      ['parallel', 'alternate'],
      `"${turns?.load}" is on and off in turn, and only one load can be`,
    ],
    [turns !== undefined && all.length === 1, ['parallel', 'alternate'], 'there is no other load to compare'],
    [turns?.pairs === 0, ['parallel', 'alternate'], 'two windows are longer than the phase; a verdict needs twelve'],
    [
      'secondsPerStep' in load,
      ['load', 'kind'],
      `a search ("${load.kind}") runs alone: give the load workers or a rate, and list them in "variants"`,
    ],
    [
      load.kind === 'open' && load.stages !== undefined,
      ['load', 'stages'],
      'a parallel load has one rate: give several of them a "from" and an "until" instead',
    ],
    [stopAfter.operations !== undefined, ['stopAfter', 'operations'], together],
    [stopAfter.documents !== undefined, ['stopAfter', 'documents'], together],
    [stopAfter.precisionPercent !== undefined, ['stopAfter', 'precisionPercent'], together],
    [faults.length > 0, ['faults'], 'faults need a phase with a single load: give it all operations, with weights'],
    [
      taken !== undefined,
      ['operations'],
      `${taken}: give each its own collection, or put both operations into one load, with weights`,
    ],
  ]
}

/** Says which rows two loads would take both: each has row numbers of its own. */
const findTakenTwice = (one: PhaseSpec, other: PhaseSpec, spec: Spec): readonly string[] =>
  collectionsOfNewRows(one, spec).flatMap((taken) =>
    collectionsOfNewRows(other, spec).includes(taken) ? `inserts new rows of "${taken}", as "${other.name}" does` : [],
  )

/** The collections of which a load takes new rows, by inserting them or by their numbers. */
const collectionsOfNewRows = (load: PhaseSpec, { data }: Spec): readonly string[] =>
  calledIn(load)
    .flatMap(({ spec }) => listMethods(spec).map((method) => ({ spec, method })))
    .flatMap(({ spec, method }) => {
      const collections = listNames(method, data)
      const numbers = expressionsIn(spec as unknown as Json).filter(({ keyword }) => keyword === '@nextRow')
      const named = numbers.flatMap(({ argument }) => (argument as { readonly of?: string }).of ?? collections)
      const inserts = replyTraits[getOperation(method.kind).reply].inserts && !Object.hasOwn(method, 'document')
      return inserts ? named.concat(collections) : named
    })
