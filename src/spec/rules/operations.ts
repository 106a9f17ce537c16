import { suggestion } from '../../language/issues.ts'
import { needsReplicaSet, transactionNeedsSet } from '../../load/engines/engine.ts'
import { reachesMajority } from '../../servers/targets/replica-set/options.ts'
import { isCalled } from '../operations/index.ts'
import { findPipelineOutput } from '../plan/outputs.ts'
import { methodsIn, operationsIn } from '../plan/phase-operations.ts'
import type { Spec } from '../schema/schema.ts'
import type { Rule } from './rule.ts'

/** Collections have names of their own, also where a data set has several. */
export const collectionsRule: Rule = {
  name: 'collections',
  reads: ['data'],
  check({ data }, report) {
    const seen = new Set(data.flatMap(({ collection, collections }) => (collections === undefined ? collection : [])))
    for (const [i, { collections = [] }] of data.entries()) {
      const twice = collections.find((name) => seen.has(name) || !seen.add(name))
      if (twice !== undefined) report(['data', i, 'collections'], `"${twice}" is the name of several collections`)
    }
  },
}

/** Validates the change streams of a spec as far as that needs no server. */
export const changeStreamRule: Rule = {
  name: 'change-streams',
  reads: ['target', 'phases'],
  check({ phases, target }, report) {
    for (const [p, { operations }] of phases.entries())
      if (!operations.some(isCalled))
        report(['phases', p, 'operations'], 'no operation is called while the change stream watches: add one')
    const reason = reasonAgainst(target)
    for (const { operation, path } of operationsIn({ phases }))
      if (!isCalled(operation) && reason !== undefined) report(path, reason)
  },
}

function reasonAgainst(target: Spec['target']): string | undefined {
  if (target.kind === 'standalone') return `${needsReplicaSet}; set "target": {"kind": "replicaSet"}`
  return target.kind === 'replicaSet' && !reachesMajority(target.members) ? seesNothing : undefined
}

const seesNothing =
  'a change stream shows only what a majority of the members has, and too many members are stopped for a majority: it would wait for ever'

/** Validates the transactions of a spec as far as that needs no server. */
export const transactionRule: Rule = {
  name: 'transactions',
  reads: ['target'],
  check({ phases, target }, report) {
    for (const { operation, phase, path } of operationsIn({ phases })) {
      if (operation.kind !== 'transaction') continue
      if (target.kind === 'standalone') report(path, `${transactionNeedsSet}; set "target": {"kind": "replicaSet"}`)
      if (phase.writeConcern.w === 0)
        report(
          [...path.slice(0, 2), 'writeConcern', 'w'],
          'transactions are always acknowledged: put unacknowledged operations into another phase',
        )
      for (const [s, step] of operation.steps.entries()) {
        const output = findPipelineOutput(step)
        if (output)
          report([...path, 'steps', s, ...output.path], `the server takes no "${output.stage}" in a transaction`)
      }
    }
  },
}

/** The functions that operations call are there, where they are known yet. */
export const functionRule: Rule = {
  name: 'functions',
  reads: [],
  check(spec, report, { overrides: { functions: known } }) {
    if (known === undefined) return
    for (const { method, path } of methodsIn(spec))
      if (method.kind === 'function' && !Object.hasOwn(known, method.function))
        report([...path, 'function'], reasonFor(method.function, Object.keys(known)))
  },
}

const reasonFor = (name: string, known: readonly string[]): string =>
  known.length === 0
    ? `no functions were passed: add --functions <module> with one that exports "${name}", or run(spec, { functions: { ${name} } })`
    : `no function "${name}" was passed${suggestion(name, known)}`
