import { type Json, type Path } from '../../core/json.ts'
import { expressionsIn } from '../../language/expression.ts'
import { replyTraits } from '../../load/engines/reply-traits.ts'
import { getOperation } from '../operations/index.ts'
import { calledIn, groupLoads, listMethods } from '../plan/phase-operations.ts'
import { type BesideSpec } from '../schema/beside-schema.ts'
import { type PhaseSpec } from '../schema/phase-schema.ts'
import { type Spec } from '../schema/schema.ts'
import { type Rule } from './rule.ts'

/** Validates loads that run beside each other: their times, and what does not go together with others. */
export const loadsRule: Rule = {
  name: 'loads',
  reads: [],
  check(spec, report) {
    for (const loads of groupLoads(spec.phases))
      for (const [i, load] of loads.entries()) {
        if (load.beside === undefined) continue
        const path = ['phases', spec.phases.indexOf(load)]
        for (const [isWrong, at, reason] of [
          ...listFlaws(load, load.beside, loads),
          ...(i === 0 ? flawsOfPhase(load) : []),
        ])
          if (isWrong) report([...path, ...at], reason)
        const taken = findTakenTwice(load, loads.slice(0, i), spec)
        if (taken !== undefined) report([...path, 'operations'], taken)
        if (spec.phases.some(({ name }) => name === load.beside?.phase))
          report(path, `a load is called "${load.beside.phase}", as the phase; give it another "name"`)
      }
  },
}

type Flaw = readonly [isWrong: boolean, at: Path, reason: string]

function listFlaws({ name, load, stopAfter }: PhaseSpec, place: BesideSpec, all: readonly PhaseSpec[]): readonly Flaw[] {
  const { from, until, alternate, alternation } = place
  const inTurn = 'beside a load that is on and off in turn, all are there over the whole window: leave this out'
  const isOther = alternate !== undefined && alternation?.load !== name
  return [
    [(stopAfter?.seconds ?? 1) <= 0, ['beside'], '"from" is below "until", and below the "seconds" of the phase'],
    [alternation !== undefined && from > 0, ['beside', 'from'], inTurn],
    [alternation !== undefined && until !== undefined, ['beside', 'until'], inTurn],
    [isOther, ['beside', 'alternate'], `"${alternation?.load}" is on and off in turn, and only one load can be`],
    [
      alternate !== undefined && all.length === 1,
      ['beside', 'alternate'],
      'there is no other load to compare with and without it',
    ],
    [
      alternate !== undefined && alternation?.pairs === 0,
      ['beside', 'alternate'],
      'a pair of stretches is longer than the phase; twelve stretches are needed for a verdict',
    ],
    [
      load.kind === 'findPeak' || load.kind === 'findRate',
      ['load', 'kind'],
      `a search ("${load.kind}") has no others beside it: give the load "workers" or a rate, and list them in "variants"`,
    ],
    [
      load.kind === 'open' && load.stages !== undefined,
      ['load', 'stages'],
      'a load beside others has one rate: give several of them a "from" and an "until" instead',
    ],
  ]
}

const together = 'loads beside each other end by "seconds": leave this out'

const flawsOfPhase = ({ stopAfter = {}, faults = [] }: PhaseSpec): readonly Flaw[] => [
  [stopAfter.operations !== undefined, ['stopAfter', 'operations'], together],
  [stopAfter.documents !== undefined, ['stopAfter', 'documents'], together],
  [stopAfter.precisionPercent !== undefined, ['stopAfter', 'precisionPercent'], together],
  [faults.length > 0, ['faults'], 'faults need a phase with a single load: give it all operations, with weights'],
]

/** Why a load cannot insert what it does: each has row numbers of its own, so two of them would take the same. */
function findTakenTwice(load: PhaseSpec, before: readonly PhaseSpec[], spec: Spec): string | undefined {
  const own = collectionsOfNewRows(load, spec)
  for (const other of before)
    for (const taken of collectionsOfNewRows(other, spec))
      if (own.includes(taken))
        return `inserts new rows of "${taken}", as "${other.name}" does: give each a collection of its own, or one load both operations, with weights`
  return undefined
}

/** The collections of which a load takes new rows, by inserting them or by their numbers. */
const collectionsOfNewRows = (load: PhaseSpec, { data }: Spec): readonly string[] =>
  calledIn(load)
    .flatMap(({ spec }) => listMethods(spec).map((method) => ({ spec, method })))
    .flatMap(({ spec, method }) => {
      const { collection = data[0]?.collection ?? '' } = method
      const inserts = replyTraits[getOperation(method.kind).reply].inserts && !Object.hasOwn(method, 'document')
      const numbers = expressionsIn(spec as unknown as Json).filter(({ keyword }) => keyword === '@nextRow')
      const named = numbers.map(({ argument }) => (argument as { readonly of?: string }).of ?? collection)
      return inserts ? [collection, ...named] : named
    })
