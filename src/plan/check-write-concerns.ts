import { type Path } from '../json.ts'
import { suggestion } from '../language/issues.ts'
import { type Spec } from '../spec/schema.ts'
import { type TargetSpec } from '../targets/index.ts'
import { type Report } from '../values/scope.ts'

type ReplicaSet = Pick<Extract<TargetSpec, { kind: 'replicaSet' }>, 'members' | 'settings'>

/** Whether a target knows the write concerns that phases and transactions name, and has members for those that it defines. */
export function checkWriteConcerns({ target, phases }: Pick<Spec, 'target' | 'phases'>, report: Report): void {
  if (target.kind === 'replicaSet') checkModes(target, ['target'], report)
  if (target.kind === 'sharded')
    for (const [i, shard] of target.shards.entries()) checkModes(shard, ['target', 'shards', i], report)
  const known = namesOf(target)
  if (known === undefined) return
  for (const { w, path } of writeConcernsIn(phases))
    if (typeof w === 'string' && !known.includes(w))
      report([...path, 'writeConcern', 'w'], `the target defines no write concern "${w}"${suggestion(w, known)}`)
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

const modesOf = ({ settings }: ReplicaSet): readonly string[] => Object.keys(settings.writeConcernModes ?? {})

const intersection = ([first = [], ...others]: readonly (readonly string[])[]): readonly string[] =>
  first.filter((name) => others.every((names) => names.includes(name)))

/** A server refuses a set that could never meet a mode of its own. Members that are stopped count there too. */
function checkModes({ members, settings }: ReplicaSet, path: Path, report: Report): void {
  const holders = members.filter(({ arbiter }) => !arbiter)
  for (const [mode, counts] of Object.entries(settings.writeConcernModes ?? {}))
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
