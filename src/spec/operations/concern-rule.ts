import { type Path } from '../../core/json.ts'
import { suggestion } from '../../language/issues.ts'
import { type TargetSpec } from '../../servers/targets/index.ts'
import { getStepConcerns, methodsIn, operationsIn } from '../plan/phase-operations.ts'
import { type Rule } from '../rules/rule.ts'
import { type Spec } from '../schema/schema.ts'

type ReplicaSet = Pick<Extract<TargetSpec, { kind: 'replicaSet' }>, 'members'>

/** Validates write concerns: the target must have enough members for them. */
export const writeConcernRule: Rule = {
  name: 'write-concerns',
  reads: ['target'],
  check({ target, phases }, report) {
    const limits = findLimits(target)
    if (limits === undefined) return
    for (const { w, path } of writeConcernsIn(phases)) {
      const at = [...path, 'writeConcern', 'w']
      if (typeof w === 'string' && w !== 'majority')
        report(at, `a server that is started for the run has no write concern "${w}"${suggestion(w, ['majority'])}`)
      if (typeof w === 'number' && w > limits.count)
        report(
          at,
          `needs ${w} members that hold data, and ${limits.where} has ${limits.count}: such a write is never acknowledged; use a lower number, or give the target more members`,
        )
    }
  },
}

type Written = { readonly w: string | number | undefined; readonly path: Path }

const writeConcernsIn = (phases: Spec['phases']): readonly Written[] => [
  ...phases.map(({ writeConcern }, p) => ({ w: writeConcern.w, path: ['phases', p] })),
  ...operationsIn({ phases }).flatMap(({ operation, path }) =>
    operation.kind === 'transaction' ? [{ w: operation.writeConcern.w, path }] : [],
  ),
  ...methodsIn({ phases }).map(({ method, path }) => ({ w: getStepConcerns(method).writeConcern?.w, path })),
]

type Limits = {
  readonly where: string
  /** Maximum number of members that can acknowledge a write. */
  readonly count: number
}

/** The most members of a target that can acknowledge. Undefined: only the server knows. */
function findLimits(target: TargetSpec): Limits | undefined {
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
const selectDataMembers = ({ members }: ReplicaSet): ReplicaSet['members'] => members.filter(({ arbiter }) => !arbiter)
