import { systemClock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { bundledDriver } from '../../load/engines/driver/load-driver.ts'
import { noFunctions } from '../../load/engines/load-functions.ts'
import { createShares } from '../../load/plan/share.ts'
import { fillText, plainLine } from '../../report/formats/text-blocks.ts'
import { type AgentSession } from '../../run/agents/coordinator/session.ts'
import { redisSecrets } from '../../run/agents/redis-secrets.ts'
import { planTurns, targetsToRun } from '../../run/turns/plan-turns.ts'
import { findSecrets } from '../../servers/targets/connection/redact.ts'
import { loadSpec } from '../../spec/spec-text.ts'
import { openRecording } from '../../traffic/recording/open-recording.ts'
import { type PreparedReplay } from '../../traffic/replay/prepare-replay.ts'
import { giveToAgents } from '../../traffic/replay/replay-for-agents.ts'
import { type CliContext } from '../cli-context.ts'
import { type ReplayFlags } from '../commands/replay.ts'
import { type RunFlags } from '../commands/run.ts'
import { queueOfRun } from '../options/queue-option.ts'
import { readUris, type Uris } from '../options/servers.ts'
import { openBaselines } from '../results/use-baselines.ts'
import { createContextFromFlags } from '../start-context.ts'
import { createLogger } from '../terminal/logger.ts'
import { agentsAt } from './agents-at.ts'
import { openLiveOutputs } from './live-outputs.ts'
import { readyReplay } from './ready-replay.ts'
import { runJobs, toJob } from './run-jobs.ts'

/** Replays a recording as a run of a spec, prints its report, and how late calls were sent. */
export async function replayRecording(file: string, flags: ReplayFlags, cli: CliContext): Promise<void> {
  const uris = resolveUris(flags)
  const existing = uris.replacement !== undefined
  const queue = queueOfRun(flags, cli.env)
  if (queue !== undefined && !existing) throw unreachableForAgents()
  const { allowWrites = false, only } = flags
  await using recording = await openRecording(file)
  await using agents = queue === undefined ? undefined : await agentsAt(queue, flags, cli)
  const place = {
    existing,
    mayWrite: () => allowWrites,
    isRepeated: (flags.repeat ?? 1) > 1,
    chooseShares: agents && ((atMost: number) => createShares(Math.min(atMost, agents.threads))),
  }
  const { replay, options } = await readyReplay(recording, file, { ...flags, only }, place, cli)
  const { columns, ownLoad } = replay
  const freshServers = replay.survey.writes.size > 0
  const spec = await loadSpec(replay.spec, { existing, thresholds: flags.threshold, columns, freshServers })
  for (const remark of spec.remarks) cli.printStatus(`note: ${remark}\n`)
  const runFlags: RunFlags = { ...flags, only: [], allowWrites: [], uri: [], logLevel: 'warn' }
  const secrets = [...uris.all.flatMap(findSecrets), ...(queue === undefined ? [] : redisSecrets(queue))]
  const log = createLogger({ level: 'warn', json: false, secrets }, cli)
  const useBaselines = await openBaselines([spec], runFlags, cli)
  await using start = createContextFromFlags(flags, uris, cli, (message) => log.info(message))
  await using live = await openLiveOutputs(runFlags, systemClock, cli)
  const job = await toJob(spec, 0, runFlags)
  if (agents !== undefined) {
    if (!flags.quiet) cli.printStatus(idleThreads(replay, agents))
    const given = giveToAgents(options, replay)
    await agents.send({ file, given, patienceMs: patience * replay.surveyMs, signal: cli.stop })
    await agents.check(spec, targetsToRun(planTurns(spec, job)), start)
  }
  const sent = { agents, driver: bundledDriver(), functions: noFunctions, ownLoad }
  await runJobs([job], { ...sent, flags: runFlags, start, log, secrets, document: undefined, useBaselines, live }, cli)
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

const labelWidth = 12

/** How far calls were sent when they were due: what the figures of a replay are worth depends on that. */
function showLateness({ tally, survey }: PreparedReplay, { printLines, screen }: CliContext): void {
  const { due, onTime, held } = tally()
  const line = (label: string, text: string): void =>
    printLines([plainLine(`${label.padEnd(labelWidth)}${fillText(text, screen.columns, labelWidth)}`)])
  const because = held === 0 ? '' : `; ${held} of the others waited for the call before them`
  if (due > 0)
    line(
      'Lateness',
      `${((onTime / due) * 100).toFixed(1)} % of ${due} calls were sent within 1 ms of their time${because}`,
    )
  const leftOut = [...survey.leftOut].map(([reason, count]) => `${reason} ${count}`)
  if (leftOut.length > 0) line('Left out', leftOut.join(', '))
}

const unreachableForAgents = (): Problem =>
  new Problem(
    'usage',
    'A replay without --uri starts its server on this machine, which agents on others do not reach',
    {
      hint: 'Give the URI of a running server with --uri, and to each agent too.',
    },
  )

/** Ignores the environment: a variable that happens to be set must not send the calls to another server. */
function resolveUris({ uri }: ReplayFlags): Uris {
  const uris = readUris(uri === undefined ? [] : [uri], {})
  if (uri === undefined || uris.replacement !== undefined) return uris
  throw new Problem('usage', 'The --uri of "replay" has a name, and there is only one server to replay on', {
    hint: 'Write --uri "mongodb://host:27017/".',
  })
}
