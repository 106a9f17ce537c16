import { formatQuantity, groupDigits } from '../../core/quantities.ts'
import { type SpecInput } from '../../spec/spec-input.ts'
import { type ReplayData } from '../data/find-data.ts'
import { type Recording } from '../recording/open-recording.ts'
import { type Replay } from './replay-load.ts'
import { computeRate } from './survey.ts'

/** Keys of commands may be many. */
const maxComment = 300
const minDeadlineSeconds = 30
const maxDeadlineSeconds = 24 * 3600
/** How many times as long as the longest recorded call one may take. */
const patience = 3

type Described = {
  readonly data: ReplayData | undefined
  /** Connections of all shares together. */
  readonly opened: number
  readonly shares: number
}

/**
 * The spec of which a replay is a run. Its operations are the shapes of the recording: the calls themselves come from there.
 * @param name Of the file.
 */
export function specOfReplay(
  name: string,
  { header, end }: Recording,
  { survey, speed, data, opened, shares }: Pick<Replay, 'survey' | 'speed'> & Described,
): SpecInput {
  const { calls, firstUs, lastUs, maxLatencyUs, shapes } = survey
  const seconds = (lastUs - firstUs) / 1e6
  const leftOut = [...survey.leftOut].map(([reason, count]) => `${reason} ${groupDigits(count)}`)
  const cut = end()?.cutAt ?? null
  return {
    name: `replay-${toSlug(name)}`,
    title: `Replay of ${name}`,
    description: [
      `${formatQuantity(calls, 'call')} of ${seconds.toFixed(1)} s, recorded ${header.beganAt} from ${header.source === 'proxy' ? 'a proxy' : `a ${header.source}`}, are sent ${speed === 'max' ? 'as soon as those before them on their connection have ended' : `at ${speed} times their speed`} over ${opened} connections.`,
      ...(shares === 1
        ? []
        : [`They are in ${shares} shares: connections that sessions or cursors were shared over are in one.`]),
      data === undefined
        ? 'The data were already there.'
        : `The data are from ${data.from}, in the database ${data.database}.`,
      'Each call keeps its concerns; all go to the primary. Errors that were also recorded do not count as errors.',
      ...(leftOut.length === 0 ? [] : [`Left out: ${leftOut.join(', ')}.`]),
      ...(cut === null ? [] : [`The recording ends in the middle, at byte ${cut}.`]),
      ...header.limits,
    ],
    target: survey.needsSet ? { kind: 'replicaSet', members: 1 } : { kind: 'standalone' },
    ...(data !== undefined && { data: data.dataSets }),
    phases: [
      {
        name: 'replay',
        engine: 'wire',
        load:
          speed === 'max'
            ? { kind: 'closed', workers: opened }
            : {
                kind: 'open',
                ratePerSecond: Math.min(100_000, Math.max(1e-3, computeRate(survey, speed))),
                arrivals: 'constant',
              },
        stopAfter: { operations: calls },
        deadlineSeconds: Math.min(
          maxDeadlineSeconds,
          Math.max(minDeadlineSeconds, Math.ceil((patience * maxLatencyUs) / 1e6)),
        ),
        operations: shapes.list.map((shape) => ({
          kind: 'command',
          name: shape.name,
          command: { ping: 1, comment: `as recorded: ${shape.text.slice(0, maxComment)}` },
        })),
      },
    ],
    report: {
      let: Object.fromEntries(named.map((metric) => [metric, { '@metric': `replay.${metric}` }])),
      keyTakeaways:
        'Replies took {{p50Ratio}} times as long as recorded at p50 ({{p50RatioLow}} to {{p50RatioHigh}}) and {{p99Ratio}} times at p99. Replies that differ: {{differing}}.',
      tables: [
        {
          title: 'Shapes of Commands',
          rows: 'operations',
          columns: [
            { row: 'operation', title: 'Shape' },
            'recordedP50Ms',
            { metric: 'p50Ms', title: 'Replayed p50 (ms)' },
            { metric: 'p50Ratio', title: 'Ratio' },
            { metric: 'p50RatioLow', title: '95 % Low' },
            { metric: 'p50RatioHigh', title: '95 % High' },
            { metric: 'p99Ratio', title: 'Ratio p99' },
            { metric: 'differing', title: 'Differ' },
            'errors',
          ],
        },
        {
          title: 'Calls',
          rows: 'operations',
          fold: true,
          columns: [
            { row: 'operation', title: 'Name' },
            'shape',
            'recordedCalls',
            'opsPerSecond',
            'notSent',
            'recordedP99Ms',
            { metric: 'p99Ms', title: 'Replayed p99 (ms)' },
            'p99Ratio',
            'p99RatioLow',
            'p99RatioHigh',
          ],
        },
        ...(speed === 'max'
          ? []
          : ([
              {
                title: 'Lateness',
                columns: ['onTimePercent', 'waitP50Ms', 'waitP99Ms', 'waitMaxMs', 'responseP50Ms', 'peakInFlight'].map(
                  (metric) => `replay.${metric}`,
                ),
              },
            ] as const)),
      ],
      ...(speed !== 'max' && {
        charts: [
          {
            kind: 'line',
            title: 'Recorded (Target Rate) and Replayed (Throughput)',
            x: 'second',
            y: ['replay.ratePerSecond', 'replay.opsPerSecond'],
          },
          {
            kind: 'line',
            title: 'Latency as Recorded and as Replayed (Response)',
            x: 'second',
            y: ['recordedP50Ms', 'responseP50Ms', 'recordedP99Ms', 'responseP99Ms'].map((metric) => `replay.${metric}`),
            scale: 'log',
          },
        ],
      }),
    },
  }
}

/** Columns that the first sentence of a report names. */
const named = ['p50Ratio', 'p50RatioLow', 'p50RatioHigh', 'p99Ratio', 'differing']

/** A file's name as that of a spec. */
const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replace(/\.[a-z]+$/, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 40) || 'recording'
