import { placeKey, Stream } from '../../core/random.ts'
import { metricIn } from '../../metrics/address.ts'
import { getColumn, isMetric } from '../../metrics/columns/index.ts'
import { groupBy } from '../../metrics/statistics.ts'
import { findChangePoints, minValues } from '../../statistics/change-points.ts'
import { defaultRules } from '../../statistics/verdict.ts'
import { type ComparedFigure } from '../comparison/comparison.ts'
import { type HistoryEntry } from './entry.ts'
import { type MedianInterval } from './median-interval.ts'

/** Runs of one spec on one kind of machine, the oldest first: only those are compared with each other. */
export type HistorySeries = {
  /** The name of the baseline beside which the history stands. */
  readonly name: string
  readonly spec: string
  /** The first digits of the hash of the spec. */
  readonly hash: string
  readonly machine: string
  readonly runs: readonly HistoryRun[]
  readonly figures: readonly HistoryFigure[]
}

/** A run of a spec, without its figures. */
export type HistoryRun = Pick<HistoryEntry, 'date' | 'commit' | 'tool' | 'server' | 'driver'>

/** One measure of one row over all runs of a series. */
export type HistoryFigure = Pick<ComparedFigure, 'row' | 'measure' | 'title' | 'digits'> & {
  readonly points: readonly HistoryPoint[]
  readonly finding: HistoryFinding
}

/** The value of one run; `run` is its position in the series. */
export type HistoryPoint = MedianInterval & { readonly run: number }

export type HistoryFinding =
  | { readonly kind: 'changes'; readonly changes: readonly HistoryChange[] }
  | { readonly kind: 'no claim'; readonly reason: string }

/** The level of a figure changed from one run to another. */
export type HistoryChange = {
  /** Positions of the last run of the old level and the first of the new one. */
  readonly from: number
  readonly to: number
  /** New level over old level. */
  readonly ratio: number
  readonly effect: 'better' | 'worse'
  /** Other changes between the two runs: "server". */
  readonly besides: readonly (typeof besides)[number][]
}

/** Properties that may change without a new series. */
const besides = ['server', 'driver', 'tool'] as const

/** Changes below that are not named. */
export const smallestChange = defaultRules.smallestEffect

/**
 * Splits a history into series, by the hash of the spec and the kind of machine, and looks for changes in each figure of each.
 * @param measures Addresses; undefined for all.
 */
export function createHistorySeries(
  name: string,
  entries: readonly HistoryEntry[],
  measures?: readonly string[],
): readonly HistorySeries[] {
  const groups = groupBy(entries, ({ spec, machine }) => `${spec.hash}\n${machine}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (first === undefined) return []
    const { spec, machine } = first
    const runs = group.map(({ date, commit, tool, server, driver }) => ({ date, commit, tool, server, driver }))
    return [
      {
        name,
        spec: spec.name,
        hash: spec.hash.slice(0, 8),
        machine,
        runs,
        figures: createHistoryFigures(group, measures),
      },
    ]
  })
}

function createHistoryFigures(
  entries: readonly HistoryEntry[],
  measures?: readonly string[],
): readonly HistoryFigure[] {
  const found = entries.flatMap(({ rows }, run) =>
    rows.flatMap(({ row, values }) =>
      Object.entries(values).map(([measure, interval]) => ({ row, measure, point: { ...interval, run } })),
    ),
  )
  const wanted = found.filter(({ measure }) => measures?.includes(measure) ?? isMetric(metricIn(measure)))
  return [...groupBy(wanted, ({ row, measure }) => JSON.stringify([row, measure])).values()].flatMap((group) => {
    const [first] = group
    const column = first && columnFor(first.measure)
    if (first === undefined || column === undefined) return []
    const { row, measure } = first
    const points = group.map(({ point }) => point)
    const { title, digits, better = 'lower' } = column
    const finding = findChanges(points, { entries, better, place: `${row} ${measure}` })
    return [{ row, measure, title: formatHistoryTitle(measure, title), digits, points, finding }]
  })
}

/** Undefined for measures of another version. */
function columnFor(address: string): ReturnType<typeof getColumn> | undefined {
  const measure = metricIn(address)
  return isMetric(measure) ? getColumn(measure) : undefined
}

/** "findOne: p99 (ms)" of "findOne.p99Ms". */
function formatHistoryTitle(address: string, title: string): string {
  const place = address.slice(0, -metricIn(address).length).replace(/\.$/, '').replaceAll('.', ' ')
  return place === '' ? title : `${place}: ${title}`
}

type Context = {
  readonly entries: readonly HistoryEntry[]
  readonly better: 'higher' | 'lower'
  /** The seed: the same history has the same changes. */
  readonly place: string
}

function findChanges(points: readonly HistoryPoint[], { entries, better, place }: Context): HistoryFinding {
  if (points.length < minValues)
    return { kind: 'no claim', reason: `${points.length} of the ${minValues} runs it takes to find changes` }
  if (points.some((point) => point.median <= 0)) return { kind: 'no claim', reason: 'there is no ratio to 0' }
  const stream = new Stream(placeKey(0, place)).at(0)
  const found = findChangePoints(
    points.map((point) => point.median),
    () => stream.float(),
  )
  if (found.kind === 'too few values') return { kind: 'no claim', reason: `${found.moreValues} runs are missing` }
  const changes = found.points.flatMap(({ index, ratio }) => {
    const [before, after] = [points[index - 1], points[index]]
    const isNotable = Math.abs(Math.log(ratio)) >= Math.log1p(smallestChange)
    if (before === undefined || after === undefined || !isNotable) return []
    const effect = ratio > 1 === (better === 'higher') ? ('better' as const) : ('worse' as const)
    return [{ from: before.run, to: after.run, ratio, effect, besides: changedBetween(entries, before.run, after.run) }]
  })
  return { kind: 'changes', changes }
}

const changedBetween = (entries: readonly HistoryEntry[], from: number, to: number): HistoryChange['besides'] =>
  besides.filter((name) => entries[from]?.[name] !== entries[to]?.[name])
