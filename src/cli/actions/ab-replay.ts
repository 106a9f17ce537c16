import { resolve } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { openRecording } from '../../traffic/recording/open-recording.ts'
import { type GivenReplay } from '../../traffic/replay/prepare-replay.ts'
import { type ab } from '../../verdicts/ab/ab.ts'
import { type SideOptions } from '../../verdicts/ab/sides.ts'
import { type CliContext } from '../cli-context.ts'
import { type AbFlags } from '../commands/ab.ts'
import { findGiven } from '../options/option.ts'
import { replayWays } from '../options/replay-options.ts'
import { isOfTarget, readyReplay, refuseSetOfCalls } from './ready-replay.ts'

/** The part of a comparison that a recording decides: what is run, and what is done by sides that replay it. */
export type AbOfReplay = {
  readonly spec: Parameters<typeof ab>[0]
  readonly options: Pick<Parameters<typeof ab>[1], 'own' | 'only' | 'allowWrites' | 'freshServers'>
}

/** Whether a file is a recording, by its name. */
export const isRecording = (file: string): boolean => file.endsWith('.mprec')

/** Prepares sides that replay a recording. @param isExisting Whether one of them does so on a server that we do not start. */
export async function prepareAbOfReplay(
  file: string,
  flags: AbFlags,
  sides: readonly SideOptions[],
  isExisting: boolean,
  cli: CliContext,
): Promise<AbOfReplay> {
  const other = sides
    .flatMap(({ uri: _uri, uriFrom: _uriFrom, mongod: _mongod, set = {}, ...others }) =>
      Object.keys(set).every(isOfTarget) ? Object.keys(others) : 'set',
    )
    .at(0)
  if (other !== undefined || flags.engine !== undefined) throw otherSetting(other ?? 'engine')
  const { only, allowWrites = [], set = [] } = flags
  refuseSetOfCalls(set)
  await using recording = await openRecording(file)
  const place = {
    existing: isExisting,
    mayWrite: (database: string) => allowWrites.includes(database),
    isRepeated: true,
  }
  const { replay, options } = await readyReplay(recording, file, { ...flags, only: only?.join(',') }, place, cli)
  const { clock: _, mayWrite: __, ...rest } = options
  const given: GivenReplay = { ...rest, file: resolve(file), only: options.only && [...options.only] }
  return {
    spec: replay.spec,
    options: {
      own: {
        process: 'traffic/replay/side-process',
        given,
        columns: replay.columns,
        database: replay.ownLoad.database,
      },
      only: [],
      allowWrites: [],
      freshServers: replay.survey.writes.size > 0,
    },
  }
}

/** Refuses options of replays where a spec is run. */
export function refuseReplayWays(flags: AbFlags): void {
  const option = findGiven(replayWays, flags)
  if (option === undefined) return
  throw new Problem('usage', `${option} is about a recording, and a spec is run`, {
    hint: 'Name a recording (.mprec) instead of the spec, or leave it out.',
  })
}

const otherSetting = (name: string): Problem =>
  new Problem('usage', `Sides that replay a recording differ in their server, not in "${name}"`, {
    hint: 'Write --a uri:old --b uri:new, --b mongod:<path>, or --b target.server.cacheGB=0.25.',
  })
