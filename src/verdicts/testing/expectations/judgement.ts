import type { Measurement } from '../measurement.ts'
import type { PlannedCommand, SentByCall } from '../sent.ts'

/** Judges an expectation about what calls sent. Where that was not seen, the expectation is missed: it may not pass unseen. */
export function judgeCommands({ sent }: Measurement, judge: (calls: readonly SentByCall[]) => Judgement): Judgement {
  if (sent.kind === 'seen') return judge(sent.calls)
  return { verdict: 'missed', because: `sent commands that were not seen, because ${sent.reason}. ${sent.hint}` }
}

/** A command for a message, such as "find on orders: COLLSCAN". */
export const commandText = ({ name, collection, plan }: PlannedCommand): string =>
  `${collection === null ? name : `${name} on ${collection}`}${plan === null ? '' : `: ${plan.text}`}`

export type Planned = PlannedCommand & { readonly plan: NonNullable<PlannedCommand['plan']> }

/** A command with the reason why its plan, or what it examines, is not known. */
export function whyNotKnown(command: Planned): string {
  const { figures } = command.plan
  return `${commandText(command)} (${typeof figures === 'string' ? figures : 'how many documents it returns is not known'})`
}

/** The commands of calls that have a plan, each once. */
export function plannedIn(calls: readonly SentByCall[]): readonly Planned[] {
  const all = calls.flatMap(({ commands }) => commands.filter((command): command is Planned => command.plan !== null))
  return [...new Map(all.map((command) => [commandText(command), command])).values()]
}

/** "not timed": nothing can be said, as it was asked for by the depth or the time budget. */
export type ExpectationVerdict = 'holds' | 'missed' | 'cannot tell' | 'not timed'

/** Verdict on an expectation, with its reasons. */
export type Judgement = {
  readonly verdict: ExpectationVerdict
  /** With the figures, in one or two sentences; after the name of what was measured. */
  readonly because: string
  /** Whether times were judged, so that a message shows them. Default false. */
  readonly isOfTime?: boolean
  /** Whether times were compared round by round with others that met the same machine. Default false. */
  readonly isPaired?: boolean
  /** Advice although nothing is missed. Absent: none. */
  readonly advice?: string
}

export type Expectation<Given extends readonly unknown[]> = (measurement: Measurement, ...given: Given) => Judgement

/** "in 2 of 5 rounds" */
export const inRounds = (some: number, all: number): string =>
  all > 1 ? `in ${some} of ${all} rounds` : some === 1 ? 'in the only round' : 'not in the only round'

/** The gravest first. */
const byGravity: readonly ExpectationVerdict[] = ['missed', 'cannot tell', 'not timed', 'holds']

/** One judgement of several: the gravest verdict, with the reasons of all that have it. */
export function judgeAll(all: readonly Judgement[]): Judgement {
  const verdict = byGravity.find((one) => all.some((judgement) => judgement.verdict === one)) ?? 'holds'
  const grave = all.filter((judgement) => judgement.verdict === verdict)
  const advice = all.flatMap((judgement) => judgement.advice ?? [])[0]
  return {
    verdict,
    because: grave.map(({ because }, i) => (i === 0 ? because : `It also ${because}`)).join(' '),
    isOfTime: grave.some(({ isOfTime }) => isOfTime === true),
    ...(advice !== undefined && { advice }),
  }
}

/**
 * Judges an expectation of time. Where nothing was timed, none is missed. On a machine in a slow state that the other side did not meet, it is missed
 * only if it would be at the usual speed too.
 */
export function judgeTime(measurement: Measurement, judge: (measurement: Measurement) => Judgement): Judgement {
  const { notTimed, latency, machineSlowerPercent } = measurement
  if (notTimed !== null) return { verdict: 'not timed', because: `was not timed: ${notTimed}.` }
  if (latency === null) return { verdict: 'missed', because: `had no successful call${firstError(measurement)}.` }
  const judgement = { ...judge(measurement), isOfTime: true }
  const mayBeSlow = judgement.isPaired !== true && machineSlowerPercent > slowAbovePercent
  if (judgement.verdict !== 'missed' || !mayBeSlow) return judgement
  const { verdict } = judge(atSpeed(measurement, 1 / (1 - machineSlowerPercent / 100)))
  const slow = `the machine was ${Math.round(machineSlowerPercent)} % slower than in the other measurements of this process, by a fixed kernel of work`
  return verdict === 'missed'
    ? { ...judgement, because: `${judgement.because} It is missed after dividing by the slowness too: ${slow}.` }
    : { ...judgement, verdict: 'cannot tell', because: `${judgement.because} But ${slow}.` }
}

/** A measurement as it would be on a machine that is faster by a factor, if all of its time was spent computing. */
export function atSpeed(measurement: Measurement, factor: number): Measurement {
  const { latency, rounds, machineSpeed } = measurement
  const faster = (ms: number | null): number | null => ms && ms / factor
  return {
    ...measurement,
    machineSpeed: machineSpeed && machineSpeed * factor,
    latency: latency && { ...latency, p99Ms: latency.p99Ms / factor },
    rounds: rounds.map(({ callsPerSecond, meanMs, p50Ms, p99Ms, cpuUs, client, machineSpeed: speed }) => ({
      callsPerSecond: callsPerSecond * factor,
      meanMs: faster(meanMs),
      p50Ms: faster(p50Ms),
      p99Ms: faster(p99Ms),
      cpuUs: faster(cpuUs),
      client,
      machineSpeed: speed,
    })),
  }
}

/** From here on the state of the machine may explain a difference, as in results. */
const slowAbovePercent = 10

/** The first error, for the end of a sentence. */
export function firstError({ errors }: Measurement): string {
  const [first] = errors
  return first === undefined ? '' : ` (${first.name}: ${first.message})`
}

/** How often a limit may be called missed although it is kept. */
const errorRate = 0.05

/**
 * Whether too many of the rounds lie on one side of a limit for a coincidence: the sign test. If the true value were at the limit, each
 * round would lie on either side with the same probability, whatever the noise looks like.
 * @param rounds At least one.
 * @returns false for fewer than five rounds, of which even all may lie on one side at random.
 */
export function isNoChance(onSide: number, rounds: number): boolean {
  let tail = 0
  for (let count = onSide; count <= rounds; count++) tail += binomial(rounds, count)
  return tail / 2 ** rounds <= errorRate
}

function binomial(n: number, k: number): number {
  let ways = 1
  for (let i = 1; i <= k; i++) ways = (ways * (n - k + i)) / i
  return ways
}
