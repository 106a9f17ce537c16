import { systemClock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { findData, recordedData } from '../../traffic/data/find-data.ts'
import { type Recording } from '../../traffic/recording/open-recording.ts'
import {
  mayNotLoad,
  type PreparedReplay,
  prepareReplay,
  type ReplayOptions,
} from '../../traffic/replay/prepare-replay.ts'
import { replayedCommands } from '../../traffic/replay/replayable.ts'
import { type CliContext } from '../cli-context.ts'
import { type ReplayWays } from '../options/replay-options.ts'

/** A place in which a recording is replayed, and what is allowed there. */
type Place = Pick<ReplayOptions, 'existing' | 'mayWrite' | 'isRepeated' | 'chooseShares'>

/** Values of options that are not given. Times are in seconds since the first call. */
const usual = {
  speed: 1,
  from: 0,
  until: Infinity,
  connections: 'as-recorded',
  compareDocuments: false,
  allowJavascript: false,
} satisfies ReplayWays

/** Finds its data, and prepares a replay as the command line has it. @returns it, and the options for it. */
export async function readyReplay(
  recording: Recording,
  file: string,
  ways: ReplayWays & { readonly only: string | undefined },
  place: Place,
  { printStatus }: Pick<CliContext, 'printStatus'>,
): Promise<{ readonly replay: PreparedReplay; readonly options: ReplayOptions }> {
  const { speed, from, until, connections, compareDocuments, allowJavascript, only } = { ...usual, ...ways }
  if (until <= from)
    throw new Problem('usage', `--until ${until}s is not after --from ${from}s, so there is no call between them`, {
      hint: 'Both count from the first call of the recording: --from 10m --until 12m are two minutes of it.',
    })
  const refuse = (database: string): void => {
    if (place.existing && !place.mayWrite(database)) throw mayNotLoad(database)
  }
  const data = ways.data === undefined ? undefined : await findData(ways.data, file, recording, refuse)
  if (ways.data === recordedData && data !== undefined)
    printStatus(`${data.from} has documents made up from the calls, with values of the recording\n`)
  const options: ReplayOptions = {
    ...place,
    speed,
    connections,
    compareDocuments,
    data,
    fromUs: from * 1e6,
    untilUs: Math.min(until * 1e6, Number.MAX_SAFE_INTEGER),
    javascript: allowJavascript,
    expires: place.existing && data === undefined,
    only: only === undefined ? undefined : parseCommands(only),
    clock: systemClock,
  }
  return { options, replay: await prepareReplay(recording, file, options) }
}

export const isOfTarget = (setting: string): boolean => setting.startsWith('target.')

/** Refuses settings of what the recording decides. @param settings Names, with their values or without. */
export function refuseSetOfCalls(settings: readonly string[]): void {
  const other = settings.find((text) => !isOfTarget(text))
  if (other === undefined) return
  throw new Problem('usage', `"${other.split('=')[0]}" is not part of the target, and the recording decides the rest`, {
    hint: 'Set what the server is started with, such as target.server.cacheGB=0.25.',
  })
}

function parseCommands(text: string): ReadonlySet<string> {
  const names = text.split(',')
  const unknown = names.find((name) => !replayedCommands.includes(name))
  if (unknown === undefined) return new Set(names)
  throw new Problem('usage', `--only names "${unknown}", a command that is not replayed`, {
    hint: `These are: ${replayedCommands.join(', ')}.`,
  })
}
