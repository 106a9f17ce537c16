import { type Path } from '../json.ts'
import { suggestion } from '../language/issues.ts'
import { type Spec } from '../schema/schema.ts'
import { type TargetSpec } from '../targets/index.ts'
import { type Report } from '../values/scope.ts'

type ReplicaSet = Pick<Extract<TargetSpec, { kind: 'replicaSet' }>, 'members' | 'settings'>

/** Whether a target knows the write concerns that phases and transactions name, and has members for them and for those that it defines. */
export function validateWriteConcerns({ target, phases }: Pick<Spec, 'target' | 'phases'>, report: Report): void {
  if (target.kind === 'replicaSet') checkModes(target, ['target'], report)
  if (target.kind === 'sharded')
    for (const [i, shard] of target.shards.entries()) checkModes(shard, ['target', 'shards', i], report)
  const known = namesOf(target)
  const most = mostHolders(target)
  if (known === undefined || most === undefined) return
  for (const { w, path } of writeConcernsIn(phases)) {
    const at = [...path, 'writeConcern', 'w']
    if (typeof w === 'string' && !known.includes(w))
      report(at, `the target defines no write concern "${w}"${suggestion(w, known)}`)
    if (typeof w === 'number' && w > most.count)
      report(
        at,
        `needs ${w} members that hold data, and ${most.where} has ${most.count}: no such write is ever acknowledged; take fewer, or give the target more members`,
      )
  }
}

type Written = { readonly w: string | number; readonly path: Path }

const writeConcernsIn = (phases: Spec['phases']): readonly Written[] =>
  phases.flatMap(({ writeConcern, operations }, p) => [
    { w: writeConcern.w, path: ['phases', p] },
    ...operations.flatMap((spec, i) =>
      spec.kind === 'transaction' ? { w: spec.writeConcern.w, path: ['phases', p, 'operations', i] } : [],
    ),
  ])

/** Undefined: only the server can tell. */
function namesOf(target: TargetSpec): readonly string[] | undefined {
  switch (target.kind) {
    case 'existing':
      return undefined
    case 'standalone':
      return ['majority']
    case 'replicaSet':
      return ['majority', ...modesOf(target)]
    case 'sharded':
      // A write may go to any shard.
      return ['majority', ...intersection(target.shards.map(modesOf))]
  }
}

/** How many members may have any write. Undefined: only the server can tell. */
function mostHolders(target: TargetSpec): { readonly where: string; readonly count: number } | undefined {
  switch (target.kind) {
    case 'existing':
      return undefined
    case 'standalone':
      return { where: 'a standalone server', count: 1 }
    case 'replicaSet':
      return { where: 'the set', count: holdersOf(target).length }
    case 'sharded':
      return { where: 'the smallest shard', count: Math.min(...target.shards.map((shard) => holdersOf(shard).length)) }
  }
}

/** A server counts members that are stopped too, those without a vote, and no arbiters. */
const holdersOf = ({ members }: Pick<ReplicaSet, 'members'>): ReplicaSet['members'] =>
  members.filter(({ arbiter }) => !arbiter)

const modesOf = ({ settings }: ReplicaSet): readonly string[] => Object.keys(settings.writeConcernModes ?? {})

const intersection = ([first = [], ...others]: readonly (readonly string[])[]): readonly string[] =>
  first.filter((name) => others.every((names) => names.includes(name)))

/** A server refuses a set that could never meet a mode of its own. */
function checkModes(set: ReplicaSet, path: Path, report: Report): void {
  const holders = holdersOf(set)
  for (const [mode, counts] of Object.entries(set.settings.writeConcernModes ?? {}))
    for (const [tag, wanted] of Object.entries(counts)) {
      const values = new Set(holders.flatMap(({ tags }) => tags[tag] ?? []))
      if (values.size >= wanted) continue
      const there = values.size === 0 ? 'no member has that tag' : `members have only ${[...values].join(', ')}`
      report(
        [...path, 'settings', 'writeConcernModes', mode, tag],
        `needs ${wanted === 1 ? 'a value' : `${wanted} different values`} of the tag "${tag}", and ${there}`,
      )
    }
}
