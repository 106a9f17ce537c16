import { z } from 'zod'
import { existing } from './existing.ts'
import { replicaSet } from './replica-set.ts'
import { standalone } from './standalone.ts'
import { type RunningTarget, type StartContext } from './target.ts'

/** Every kind of target. A new one is a file, a word in each of these two lists, and a case below. */
export const targets = [existing, standalone, replicaSet] as const
export const targetSpec = z.discriminatedUnion('kind', [existing.spec, standalone.spec, replicaSet.spec])

export type TargetSpec = z.output<typeof targetSpec>

/** Starts (or connects to) what a spec asks for. Disposing the result stops what was started. */
export function startTarget(spec: TargetSpec, context: StartContext): Promise<RunningTarget> {
  switch (spec.kind) {
    case 'existing':
      return existing.start(spec, context)
    case 'standalone':
      return standalone.start(spec, context)
    case 'replicaSet':
      return replicaSet.start(spec, context)
  }
}
