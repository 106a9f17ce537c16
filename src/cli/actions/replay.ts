import { systemClock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { formatQuantity, groupDigits } from '../../core/quantities.ts'
import { bundledDriver } from '../../load/engines/driver/load-driver.ts'
import { noFunctions } from '../../load/engines/load-functions.ts'
import { createShares } from '../../load/plan/share.ts'
import { plainLine } from '../../report/formats/text-blocks.ts'
import { type AgentSession } from '../../run/agents/coordinator/session.ts'
import { planTurns, targetsToRun } from '../../run/turns.ts'
import { loadSpec } from '../../spec/spec-text.ts'
import { openRecording } from '../../traffic/recording/open-recording.ts'
import { type PreparedReplay } from '../../traffic/replay/prepare-replay.ts'
import { giveToAgents } from '../../traffic/replay/replay-for-agents.ts'
import { type CliContext } from '../cli-context.ts'
import { type ReplayFlags } from '../commands/replay.ts'
import { type RunFlags } from '../commands/run.ts'
import { queueOfRun } from '../options/queue-option.ts'
import { toOverrides } from '../options/spec-options.ts'
import { readOnlyUri } from '../options/uris.ts'
import { openBaselines } from '../results/use-baselines.ts'
import { openLiveOutputs } from './live-outputs.ts'
import { agentsAt, openRun } from './open-run.ts'
import { readyReplay, refuseSetOfCalls } from './ready-replay.ts'
import { runJobs, toJob } from './run-jobs.ts'

/** Replays a recording as a run of a spec, prints its report, and how late calls were sent. */
export async function replayRecording(file: string, flags: ReplayFlags, cli: CliContext): Promise<void> {
  const uris = readOnlyUri(flags.uri, 'replay', 'replay on')
  const existing = uris.replacement !== undefined
  const queue = queueOfRun(flags, cli.env)
  if (queue !== undefined && !existing) throw unreachableForAgents()
  const { allowWrites = false, only } = flags
  await using recording = await openRecording(file)
  await using agents = await agentsAt(queue, flags, cli)
  const place = {
    existing,
    mayWrite: () => allowWrites,
    isRepeated: (flags.repeat ?? 1) > 1,
    chooseShares: agents && ((atMost: number) => createShares(Math.min(atMost, agents.threads))),
  }
  const { replay, options } = await readyReplay(recording, file, { ...flags, only }, place, cli)
  const { columns, ownLoad } = replay
  const freshServers = replay.survey.writes.size > 0
  const { set = [], threshold = [] } = flags
  refuseSetOfCalls(set)
  const spec = await loadSpec(replay.spec, { ...toOverrides({ set, threshold, freshServers }), existing, columns })
  for (const remark of spec.remarks) cli.printStatus(`note: ${remark}\n`)
  const runFlags: RunFlags = { ...flags, only: [], allowWrites: [], uri: [], logLevel: 'warn' }
  const useBaselines = await openBaselines([spec], runFlags, cli)
  const opened = openRun(runFlags, uris, queue, cli)
  await using start = opened.start
  await using live = await openLiveOutputs(runFlags, systemClock, cli)
  const job = await toJob(spec, 0, runFlags)
  if (agents !== undefined) {
    if (!flags.quiet) cli.printStatus(idleThreads(replay, agents))
    const given = giveToAgents(options, replay)
    await agents.send({ file, given, patienceMs: patience * replay.surveyMs, signal: cli.stop })
    await agents.check(spec, targetsToRun(planTurns(spec, job)), start)
  }
  const sent = { agents, driver: bundledDriver(), functions: noFunctions, ownLoad }
  await runJobs([job], { ...opened, ...sent, flags: runFlags, document: undefined, useBaselines, live }, cli)
  if (flags.format === undefined || flags.format === 'text') showLateness(replay, cli)
}

/** Agents may be slower, and all threads of one read at the same time. */
const patience = 10

/** A note about threads of agents that have nothing to send. */
function idleThreads({ shares, survey }: PreparedReplay, { threads }: Pick<AgentSession, 'threads'>): string {
  if (shares.length === threads) return ''
  const parts = shares.length === 1 ? 'one share' : `${shares.length} shares`
  const because =
    shares.length < survey.groups.length
      ? '--connections allows no more'
      : 'connections that shared sessions or cursors stay together'
  return `the recording has ${parts} for the ${threads} threads of the agents: ${because}\n`
}

/** Why calls were late, and what was left out: what the figures of a replay are worth depends on that. */
export function showLateness(
  { tally, survey }: Pick<PreparedReplay, 'tally' | 'survey'>,
  { printLines }: Pick<CliContext, 'printLines'>,
): void {
  const { due, onTime, held } = tally()
  const late = due - onTime
  const why = late === 0 ? '' : `: ${groupDigits(held)} waited for the call before them, the others for this machine`
  const texts = [
    ...(due === 0
      ? []
      : [`${groupDigits(late)} of ${formatQuantity(due, 'call')} went out more than 1 ms late${why}.`]),
    ...(survey.leftOut.size === 0
      ? []
      : [`Left out: ${[...survey.leftOut].map(([reason, count]) => `${reason} ${groupDigits(count)}`).join(', ')}`]),
  ]
  printLines(texts.map(plainLine))
}

const unreachableForAgents = (): Problem =>
  new Problem(
    'usage',
    'A replay without --uri starts its server on this machine, which agents on others do not reach',
    { hint: 'Give the URI of a running server with --uri, and to each agent too.' },
  )
