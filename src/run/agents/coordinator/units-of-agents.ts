import type { Clock } from '../../../core/clock.ts'
import { isObject } from '../../../core/json.ts'
import type { EvidenceRequest } from '../../../load/evidence.ts'
import type { LoadUnit } from '../../../load/load-unit.ts'
import type { PhasePlan } from '../../../load/plan/plan.ts'
import { type Share, createShares } from '../../../load/plan/share.ts'
import { sum } from '../../../metrics/statistics.ts'
import type { SearchStep } from '../../../results/schema/windows.ts'
import type { SpecRow } from '../../../spec/fold/read-rows.ts'
import type { LoadedSpec } from '../../../spec/load-spec.ts'
import type { DataSet } from '../../../spec/plan/data-set.ts'
import { samplePaths } from '../../../spec/plan/sample-paths.ts'
import type { PhaseSpec } from '../../../spec/schema/phase-schema.ts'
import { packSamples } from '../../threads/thread-work.ts'
import { deploymentIdentity } from '../deployment-identity.ts'
import type { SpecWork } from '../messages.ts'
import type { AgentClocks } from './agent-clocks.ts'
import type { AgentLink } from './agent-link.ts'
import { createAgentUnit } from './agent-unit.ts'

/** Source of the units of a phase. */
export type PhaseOfAgents = {
  readonly phase: PhasePlan
  readonly spec: PhaseSpec
  /** The step of a search that it is. Undefined: it is none. */
  readonly step?: SearchStep | undefined
  readonly dataSets: readonly DataSet[]
  readonly evidence: readonly EvidenceRequest[]
  /** A secret: stays here. */
  readonly uri: string
  /** Shares of a load that cannot be split into more. Absent: as many as workers. */
  readonly maxShares?: number
}

/** Makes the units of a phase, one for each agent that has a share of it. */
export type StartUnits = (of: PhaseOfAgents) => Promise<readonly LoadUnit[]>

/** A replay that agents run in the place of operations, and how much longer they may need to be ready. */
export type SentWork = { readonly replay?: SpecWork['replay']; readonly patienceMs: number }

type AgentsOfPhase = SentWork & {
  readonly spec: LoadedSpec
  readonly row: SpecRow
  /** Number of the load in the run. */
  readonly number: number
  readonly links: readonly AgentLink[]
  readonly clocks: AgentClocks
  readonly clock: Clock
}

export async function createAgentUnits(of: PhaseOfAgents, agents: AgentsOfPhase): Promise<readonly LoadUnit[]> {
  const { phase, dataSets, evidence, uri } = of
  const { spec, row, number, links, clocks, clock, replay, patienceMs } = agents
  const deployment = (): Promise<string> => deploymentIdentity(uri)
  const work = {
    ...createSpecWork(spec, replay),
    row: spec.rows.findIndex(({ index }) => index === row.index),
    phase: row.spec.phases.indexOf(of.spec),
    step: of.step,
    deployment: await deployment(),
    firstRows: dataSets.map(({ numbers }) => numbers.next()),
    samples: packSamples(dataSets, samplePaths({ ...row.spec, phases: [of.spec] })),
    evidence: [...evidence],
  }
  const shares = splitShares(
    links.map(({ agent }) => agent.threads),
    of.maxShares ?? phase.workers,
  )
  return links.flatMap((link, i) => {
    const own = shares[i] ?? []
    if (own.length === 0) return []
    return createAgentUnit({
      link,
      phase: `${phase.parallel?.phase ?? number}/${number}`,
      work: { ...work, shares: [...own] },
      deadlineMs: phase.deadlineMs + patienceMs,
      offset: () => clocks.offsetOf(link),
      deployment,
      roundTripMs: clocks.longestRoundTripMs,
      clock,
    })
  })
}

export const createSpecWork = ({ effective, overrides, hash }: LoadedSpec, replay: SpecWork['replay']): SpecWork => ({
  // The report of a replay has columns that agents do not know.
  spec: JSON.stringify(replay === undefined || !isObject(effective) ? effective : { ...effective, report: undefined }),
  replay,
  only: [...(overrides.only ?? [])],
  existing: overrides.existing === true,
  hash,
})

/**
 * Splits a phase over agents: one share for each thread while there are workers for it, given out in turns, so that few workers
 * are on many machines.
 * @param threads Of each agent.
 * @param workers Of the phase, at its smallest.
 * @returns The shares of each agent, next to each other; none where there are more agents than workers.
 */
export function splitShares(threads: readonly number[], workers: number): readonly (readonly Share[])[] {
  const counts = threads.map(() => 0)
  let left = Math.min(workers, sum(threads))
  const total = left
  while (left > 0)
    for (const [i, own] of threads.entries()) {
      if (left === 0 || (counts[i] ?? 0) >= own) continue
      counts[i] = (counts[i] ?? 0) + 1
      left -= 1
    }
  const shares = createShares(total)
  let next = 0
  return counts.map((count) => shares.slice(next, (next += count)))
}
