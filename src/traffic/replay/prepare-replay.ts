import { basename } from 'node:path'
import { type Clock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { groupDigits } from '../../core/quantities.ts'
import { type LoadUnit } from '../../load/load-unit.ts'
import { type PhasePlan } from '../../load/plan/plan.ts'
import { type Share, wholePhase } from '../../load/plan/share.ts'
import { type OwnColumns } from '../../metrics/columns/own-column.ts'
import { type OwnLoad } from '../../run/run-environment.ts'
import { type SpecInput } from '../../spec/spec-input.ts'
import { type ReplayData } from '../data/find-data.ts'
import { type Recording } from '../recording/open-recording.ts'
import { replayColumns } from './columns.ts'
import { type Replay, type Speed } from './replay-load.ts'
import { createReplayUnit } from './replay-unit.ts'
import { type Selection } from './selection.ts'
import { splitConnections } from './shares.ts'
import { type Connections } from './slots.ts'
import { specOfReplay } from './spec-of-replay.ts'
import { computeRate, type Survey, surveyCalls } from './survey.ts'
import { Tally } from './tally.ts'

export type ReplayOptions = Selection & {
  readonly speed: Speed
  readonly connections: Connections
  readonly compareDocuments: boolean
  /** Whether the server is one that mongo-perf did not start. */
  readonly existing: boolean
  /** Whether a database of such a server may be written to. */
  readonly mayWrite: (database: string) => boolean
  /** Whether it is replayed more than once. */
  readonly isRepeated: boolean
  /** Data that are loaded first. Undefined: none. */
  readonly data: ReplayData | undefined
  readonly clock: Clock
  /** Chooses the shares that this process sends, or its agents. @param atMost How many there can be. Default: one, which has all calls. */
  readonly chooseShares?: ((atMost: number) => readonly Share[]) | undefined
}

/** A replay as it is handed to the process of a side, in JSON. */
export type GivenReplay = Omit<ReplayOptions, 'only' | 'clock' | 'mayWrite' | 'chooseShares'> & {
  readonly file: string
  readonly only: readonly string[] | undefined
}

/** A recording that is ready to be replayed, as a run of a spec. */
export type PreparedReplay = {
  readonly spec: SpecInput
  readonly columns: OwnColumns
  readonly ownLoad: OwnLoad
  readonly survey: Survey
  /** The tally of the run that was measured last. */
  readonly tally: () => Tally
  readonly shares: readonly Share[]
  /** How long reading the recording has taken. */
  readonly surveyMs: number
  /** Creates the unit that sends the first of the shares, in this thread. @param mayGoOn Asked before each call. Default: always true. */
  readonly createUnit: (phase: PhasePlan, uri: string, mayGoOn?: () => boolean) => Promise<LoadUnit>
}

/**
 * Reads a recording once, and prepares its replay. Nothing is sent.
 * @param file Its path, for the report.
 * @throws {Problem} "refused" where it would write to a server that may not be written to, "usage" where there is nothing to replay, "recording-unreadable".
 */
export async function prepareReplay(
  recording: Recording,
  file: string,
  options: ReplayOptions,
): Promise<PreparedReplay> {
  const { speed, connections, compareDocuments, clock, data, chooseShares = () => [wholePhase] } = options
  if (compareDocuments && recording.header.values !== 'keep') throw noDocuments(file)
  const beganMs = clock.now()
  const survey = await surveyCalls(recording.batches(), options, speed)
  if (survey.calls === 0) throw nothingToReplay(file, survey)
  if (options.existing) refuseWrites(survey, options)
  const surveyMs = clock.now() - beganMs
  const shares = chooseShares(Math.min(survey.groups.length, connections === 'as-recorded' ? Infinity : connections))
  const [first = wholePhase] = shares
  const slotsOf = splitConnections(survey, connections, first.of)
  const opened = shares.reduce((sum, share) => sum + slotsOf(share).count, 0)
  const replay: Replay = { recording, selection: options, survey, slots: slotsOf(first), speed, compareDocuments }
  const createUnit: PreparedReplay['createUnit'] = (phase, uri, mayGoOn) =>
    createReplayUnit(replay, phase, { uri, clock, mayGoOn })
  let tally = new Tally(0)
  return {
    spec: specOfReplay(basename(file), recording, { ...replay, data, opened, shares: shares.length }),
    columns: replayColumns(survey, recording.header.source, () => tally),
    survey,
    surveyMs,
    shares,
    createUnit,
    tally: () => tally,
    ownLoad: {
      database: data?.database,
      plan: (phase) => createPlan(phase, replay, opened),
      async units(of, agents) {
        tally = new Tally(survey.shapes.list.length)
        if (agents !== undefined) return await agents({ ...of, maxShares: shares.length })
        return [await createUnit(of.phase, of.uri)]
      },
      take(runs) {
        for (const { counts = [] } of runs) tally.add(counts)
      },
    },
  }
}

/** Refuses what would change a server that is not ours, unless it is allowed, and what would be other work the second time. */
function refuseWrites(survey: Survey, { mayWrite, isRepeated, data }: ReplayOptions): void {
  const written = [...survey.written]
  if (!written.every(mayWrite)) throw mayNotWrite(survey)
  if (data !== undefined && !mayWrite(data.database)) throw mayNotLoad(data.database)
  if (isRepeated && written.some((database) => database !== data?.database)) throw noSecondTime()
}

/** Calls come when the recording has them, over the connections of the replay. */
function createPlan(phase: PhasePlan, { survey, speed }: Replay, workers: number): PhasePlan {
  const { load } = phase
  if (load.kind !== 'open' || speed === 'max') return { ...phase, workers }
  const ratePerSecond = computeRate(survey, speed)
  return {
    ...phase,
    workers,
    pool: undefined,
    load: { ...load, ratePerSecond, arrivals: 'recorded', maxInFlight: workers },
  }
}

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts].map(([what, calls]) => `${what} (${groupDigits(calls)})`).join(', ')

const noDocuments = (file: string): Problem =>
  new Problem('usage', `${file} has no documents to compare: its values were not kept`, {
    hint: 'Leave out --compare-documents, or record with --values keep.',
  })

const nothingToReplay = (file: string, { leftOut }: Survey): Problem =>
  new Problem('usage', `${file} has no call to replay${leftOut.size === 0 ? '' : `; left out: ${listed(leftOut)}`}`, {
    hint: '`mongo-perf inspect` shows what is in it; look at --from, --until and --only.',
  })

/** The options that allow to write to databases: "ab" wants each by its name. */
const permissions = (databases: readonly string[]): string =>
  `--allow-writes, and with "ab" or at an agent ${databases.map((database) => `--allow-writes '${database}'`).join(' ')}.`

const mayNotWrite = ({ writes, written }: Survey): Problem =>
  new Problem('refused', `The recording has calls that may write: ${listed(writes)}`, {
    hint: `To replay the reads alone: --only find,aggregate,count,distinct. To write to this server, whose data then change: ${permissions([...written])}`,
  })

export const mayNotLoad = (database: string): Problem =>
  new Problem('refused', `--data would make the database "${database}" on a server that mongo-perf did not start`, {
    hint: `To make it there, if there is none of that name: ${permissions([database])}`,
  })

const noSecondTime = (): Problem =>
  new Problem('usage', 'The writes of the recording would be sent again, to other data than the first time', {
    hint: 'Replay the reads alone with --only, or load the data before each time with --data.',
  })
