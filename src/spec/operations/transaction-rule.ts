import { transactionNeedsSet } from '../../load/engines/engine.ts'
import { findPipelineOutput } from '../plan/outputs.ts'
import { type Rule } from '../rules/rule.ts'
import { isCalled } from './index.ts'

/** Validates the transactions of a spec as far as that needs no server. */
export const transactionRule: Rule = {
  name: 'transactions',
  reads: ['target'],
  check({ phases, target }, report) {
    for (const [p, { operations, writeConcern }] of phases.entries()) {
      for (const [i, spec] of operations.entries()) {
        if (!isCalled(spec) || spec.kind !== 'transaction') continue
        const at = ['phases', p, 'operations', i]
        if (target.kind === 'standalone') report(at, `${transactionNeedsSet}; set "target": {"kind": "replicaSet"}`)
        if (writeConcern.w === 0)
          report(
            ['phases', p, 'writeConcern', 'w'],
            'transactions are always acknowledged: put unacknowledged calls into another phase',
          )
        for (const [s, step] of spec.steps.entries()) {
          const output = findPipelineOutput(step)
          if (output)
            report([...at, 'steps', s, ...output.path], `the server takes no "${output.stage}" in a transaction`)
        }
      }
    }
  },
}
