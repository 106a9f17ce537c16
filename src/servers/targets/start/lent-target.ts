import { readCpuMs, type ProcessIdentity } from '../server/guardian/process-identity.ts'
import { type Supervisor } from '../server/guardian/supervisor.ts'
import { type RunningTarget } from '../target.ts'

type SentPart = Pick<RunningTarget, 'kind' | 'uri' | 'members' | 'besides' | 'stopped' | 'commands' | 'cores'>

/** A target that another process of ours has started and stops: all of it that can be sent. */
export type LentTarget = SentPart & {
  readonly processes: readonly ProcessIdentity[]
  /** Whether runs before this one have used it. */
  readonly isUsed: boolean
  /** See `RunningTarget.lost`. A signal cannot be sent: the process that uses it has one of its own. */
  readonly lost?: AbortSignal | undefined
}

/** The target for a process that may neither stop it nor change how it runs. */
export const borrowed = (lent: LentTarget): RunningTarget => ({
  ...sentPart(lent),
  ...(lent.lost && { lost: lent.lost }),
  startedByUs: true,
  [Symbol.asyncDispose]: async () => undefined,
})

/** The target as it is sent to the process that is to use it. */
export const toLentTarget = (target: RunningTarget, rest: Pick<LentTarget, 'processes' | 'isUsed'>): LentTarget => ({
  ...sentPart(target),
  ...rest,
  lost: target.lost,
})

const sentPart = ({ kind, uri, members, besides, stopped, commands, cores }: SentPart): SentPart => ({
  kind,
  uri,
  members,
  commands,
  ...(besides && { besides }),
  ...(stopped && { stopped }),
  ...(cores && { cores }),
})

/** See `Supervisor.cpuTimes`. What has ended was a child of another process. */
export const cpuTimesOfLent =
  ({ processes }: LentTarget): Supervisor['cpuTimes'] =>
  () => ({ each: readCpuMs(processes), endedMs: null })
