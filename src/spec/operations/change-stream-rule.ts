import { needsReplicaSet } from '../../load/engines/stream-engine.ts'
import { reachesMajority } from '../../servers/targets/replica-set/options.ts'
import { type Rule } from '../rules/rule.ts'
import { isCalled } from './index.ts'

/** Validates the change streams of a spec as far as that needs no server. */
export const changeStreamRule: Rule = {
  name: 'change-streams',
  reads: ['target', 'phases'],
  check({ phases, target }, report) {
    for (const [p, { operations }] of phases.entries()) {
      const at = ['phases', p, 'operations']
      if (!operations.some(isCalled)) report(at, 'no operation is called while the change stream watches: add one')
      const earlier = phases.slice(0, p).map(({ name }) => name)
      for (const [i, spec] of operations.entries()) {
        if (isCalled(spec)) continue
        if (target.kind === 'standalone') report([...at, i], `${needsReplicaSet}; set "target": {"kind": "replicaSet"}`)
        if (target.kind === 'replicaSet' && !reachesMajority(target.members)) report([...at, i], seesNothing)
        if (spec.since !== undefined && !earlier.includes(spec.since))
          report([...at, i, 'since'], noSuchPhase(spec.since, earlier))
      }
    }
  },
}

const noSuchPhase = (name: string, earlier: readonly string[]): string =>
  `there is no phase "${name}" before this one${earlier.length > 0 ? `; before it: ${earlier.join(', ')}` : ''}`

const seesNothing =
  'a change stream shows only what a majority of the members has, and too many members are stopped for a majority: it would wait for ever'
