import { transactionNeedsSet } from '../../load/engines/engine.ts'
import { Problem } from '../../core/errors.ts'
import { type ServerInfo } from '../../results/schema/servers.ts'
import { type Spec } from '../../spec/schema/schema.ts'

/** @throws {Problem} "spec-invalid" when the server cannot do what the spec asks for, because it stands alone. */
export function checkTopology({ phases }: Pick<Spec, 'phases'>, { topology }: Pick<ServerInfo, 'topology'>): void {
  const phase = phases.find(({ operations }) => operations.some(({ kind }) => kind === 'transaction'))
  if (phase === undefined || topology !== 'standalone') return
  throw new Problem('spec-invalid', `The phase "${phase.name}" cannot run: ${transactionNeedsSet}`, {
    hint: 'Measure a replica set, if only one of a single member: "target": {"kind": "replicaSet", "members": 1}.',
  })
}
