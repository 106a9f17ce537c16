import { type Path } from '../../core/json.ts'
import { suggestion } from '../../language/issues.ts'
import { type Report } from '../../language/issues.ts'
import { type TargetSpec } from '../../servers/targets/index.ts'
import { getStepConcerns } from '../plan/phase-operations.ts'
import { type Rule } from '../rules/rule.ts'
import { type Spec } from '../schema/schema.ts'

type ReplicaSet = Pick<Extract<TargetSpec, { kind: 'replicaSet' }>, 'members' | 'settings'>

/** Validates write concerns: the target must define them and have enough members for them. */
export const writeConcernRule: Rule = {
  name: 'write-concerns',
  reads: ['target'],
  check({ target, phases }, report) {
    if (target.kind === 'replicaSet') validateModes(target, ['target'], report)
    if (target.kind === 'sharded')
      for (const [i, shard] of target.shards.entries()) validateModes(shard, ['target', 'shards', i], report)
    const known = listWriteConcernNames(target)
    const max = maxHolders(target)
    if (known === undefined || max === undefined) return
    for (const { w, path } of writeConcernsIn(phases)) {
      const at = [...path, 'writeConcern', 'w']
      if (typeof w === 'string' && !known.includes(w))
        report(at, `the target defines no write concern "${w}"${suggestion(w, known)}`)
      if (typeof w === 'number' && w > max.count)
        report(
          at,
          `needs ${w} members that hold data, and ${max.where} has ${max.count}: such a write is never acknowledged; use a lower number, or give the target more members`,
        )
    }
  },
}

type Written = { readonly w: string | number; readonly path: Path }

const writeConcernsIn = (phases: Spec['phases']): readonly Written[] =>
  phases.flatMap(({ writeConcern, operations }, p) => [
    { w: writeConcern.w, path: ['phases', p] },
    ...operations.flatMap((spec, i): readonly Written[] => {
      const path = ['phases', p, 'operations', i]
      if (spec.kind === 'transaction') return [{ w: spec.writeConcern.w, path }]
      if (spec.kind !== 'steps') return []
      return spec.steps.flatMap((step, s) => {
        const { writeConcern: own } = getStepConcerns(step)
        return own === undefined ? [] : { w: own.w, path: [...path, 'steps', s] }
      })
    }),
  ])

/** The names of write concerns. Undefined: only the server knows. */
function listWriteConcernNames(target: TargetSpec): readonly string[] | undefined {
  switch (target.kind) {
    case 'existing':
      return undefined
    case 'standalone':
      return ['majority']
    case 'replicaSet':
      return ['majority', ...listWriteConcernModes(target)]
    case 'sharded':
      // A write may go to any shard.
      return ['majority', ...intersection(target.shards.map(listWriteConcernModes))]
  }
}

/** Maximum number of members that can acknowledge a write. Undefined: only the server knows. */
function maxHolders(target: TargetSpec): { readonly where: string; readonly count: number } | undefined {
  switch (target.kind) {
    case 'existing':
      return undefined
    case 'standalone':
      return { where: 'a standalone server', count: 1 }
    case 'replicaSet':
      return { where: 'the set', count: selectDataMembers(target).length }
    case 'sharded':
      return {
        where: 'the smallest shard',
        count: Math.min(...target.shards.map((shard) => selectDataMembers(shard).length)),
      }
  }
}

/** Members with data: the server counts stopped ones and those without a vote too, but no arbiters. */
const selectDataMembers = ({ members }: Pick<ReplicaSet, 'members'>): ReplicaSet['members'] =>
  members.filter(({ arbiter }) => !arbiter)

const listWriteConcernModes = ({ settings }: ReplicaSet): readonly string[] =>
  Object.keys(settings.writeConcernModes ?? {})

const intersection = ([first = [], ...others]: readonly (readonly string[])[]): readonly string[] =>
  first.filter((name) => others.every((names) => names.includes(name)))

/** The server refuses a set whose members cannot satisfy its write concern modes. */
function validateModes(set: ReplicaSet, path: Path, report: Report): void {
  const holders = selectDataMembers(set)
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
