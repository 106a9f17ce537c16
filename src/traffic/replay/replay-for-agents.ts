import { z } from 'zod'
import { type Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { codeOperators } from '../../language/values/keys.ts'
import { type Share, wholePhase } from '../../load/plan/share.ts'
import { type ReplayOfAgent } from '../../run/threads/thread-work.ts'
import { openRecording, type Recording } from '../recording/open-recording.ts'
import { type PreparedReplay, prepareReplay, type ReplayOptions } from './prepare-replay.ts'
import { maxConnections } from './slots.ts'

const givenReplay = z.strictObject({
  speed: z.number().positive().or(z.literal('max')),
  connections: z.int().min(1).max(maxConnections).or(z.literal('as-recorded')),
  compareDocuments: z.boolean(),
  fromUs: z.number(),
  untilUs: z.number(),
  javascript: z.boolean(),
  expires: z.boolean(),
  only: z.array(z.string()).or(z.undefined()),
  /** Number of calls that the coordinator has found in the recording. */
  calls: z.number(),
})

/** Packs how a recording is replayed, for agents. */
export const giveToAgents = (
  { speed, connections, compareDocuments, fromUs, untilUs, javascript, expires, only }: ReplayOptions,
  { survey: { calls } }: Pick<PreparedReplay, 'survey'>,
): z.output<typeof givenReplay> => ({
  speed,
  connections,
  compareDocuments,
  fromUs,
  untilUs,
  javascript,
  expires,
  only: only && [...only],
  calls,
})

/** Prepares one share of a replay on an agent, whose machine decides what may be written to. */
export async function prepareForAgent(
  recording: Recording,
  { given, allowWrites, allowJavaScript }: Omit<ReplayOfAgent, 'file'>,
  { share, clock }: { readonly share: Share; readonly clock: Clock },
): Promise<PreparedReplay> {
  const { only, calls, ...ways } = givenReplay.parse(given)
  const prepared = await prepareReplay(recording, 'The recording', {
    ...ways,
    only: only && new Set(only),
    javascript: ways.javascript && allowJavaScript,
    existing: true,
    mayWrite: (database) => allowWrites.includes(database),
    isRepeated: false,
    data: undefined,
    clock,
    chooseShares: () => [share],
  })
  if (prepared.survey.calls === calls) return prepared
  if (ways.javascript && !allowJavaScript) throw noJavaScriptHere()
  throw new Error('The recording has other calls here than for the coordinator of the run')
}

const noJavaScriptHere = (): Problem =>
  new Problem('refused', 'The recording has calls that run JavaScript on the server, which this agent does not allow', {
    hint: `Start the agent with ${codeOperators.map((key) => `--allow '${key}'`).join(' ')}, or leave out --allow-javascript.`,
  })

/** Prepares a replay on an agent, to find out whether it can. @throws {Problem} as `prepareReplay` does. */
export async function checkReplay({ file, ...replay }: ReplayOfAgent, clock: Clock): Promise<void> {
  await using recording = await openRecording(file)
  await prepareForAgent(recording, replay, { share: wholePhase, clock })
}
