import { formatQuantity, groupDigits } from '../../core/quantities.ts'
import { readableNumber } from '../../metrics/format.ts'
import { type Block, createListBlocks, paragraph, tableBlock } from '../../report/blocks/block.ts'
import { type PlainColumn, type Table, plainTable } from '../../report/tables/table.ts'
import { leftOutText } from '../recording/left-out-text.ts'
import { toArrivals } from './arrivals.ts'
import type { ShapeSummary, TrafficSummary } from './summarize.ts'

/** Rows of the table of shapes: HTML, JSON and CSV have all. */
const shownShapes = 20

/** Describes a recording for people: what is in it, what can be done with it, and how complete it is. @param file Its path. */
export function trafficBlocks(summary: TrafficSummary, file: string): readonly Block[] {
  const { shapes } = summary
  const hidden = shapes.length - shownShapes
  return [
    ...createWorkAnswer(shapes),
    paragraph(headline(summary), 'strong'),
    paragraph(
      `To send them again: mongo-perf replay ${file}. To make a spec: mongo-perf init --from-recording ${file}`,
    ),
    ...createListBlocks(facts(summary)),
    ...(shapes.length === 0 ? [] : [tableBlock(shapesTable(shapes.slice(0, shownShapes)))]),
    ...createWorkBlocks(shapes, shownShapes),
    ...(hidden > 0
      ? [paragraph(`${formatQuantity(hidden, 'more shape')}: --html, --format json and csv have all.`)]
      : []),
  ]
}

/**
 * Lists the shapes of a recording in a table.
 * @param names Column of the names: first where the end of a line may be out of view. Default: last.
 */
export function shapesTable(shapes: readonly ShapeSummary[], names: 'first' | 'last' = 'last'): Table {
  const name: PlainColumn<ShapeSummary> = { title: 'Shape', cell: (shape) => shape.name }
  const figures: readonly PlainColumn<ShapeSummary>[] = [
    { title: 'Calls', cell: ({ calls }) => calls },
    { title: '/s', cell: ({ perSecond }) => perSecond, digits: 'significant' },
    { title: 'p50 ms', cell: ({ latencyUs }) => milliseconds(latencyUs?.p50), digits: 'significant' },
    { title: 'p99 ms', cell: ({ latencyUs }) => milliseconds(latencyUs?.p99), digits: 'significant' },
    { title: 'Errors', cell: ({ errors }) => errors },
    { title: 'Docs', cell: ({ documentsPerCall }) => documentsPerCall, digits: 'significant' },
    {
      title: 'kB',
      cell: ({ requestBytes, replyBytes, calls }) => (requestBytes + replyBytes) / calls / 1000,
      digits: 'significant',
    },
  ]
  return plainTable('Shapes of calls', names === 'first' ? [name, ...figures] : [...figures, name], shapes)
}

const milliseconds = (us: number | undefined): number | null => (us === undefined ? null : us / 1000)

const seconds = (us: number): string => `${readableNumber(us / 1_000_000)} s`

export const headline = ({ calls, durationUs, connections, shapes, header }: TrafficSummary): string =>
  `${formatQuantity(calls, 'call')} of ${formatQuantity(shapes.length, 'shape')} over ${formatQuantity(connections, 'connection')} in ${seconds(durationUs)}, recorded from ${sources[header.source]} at ${header.beganAt.slice(0, 19).replace('T', ' ')} UTC${header.serverVersion === null ? '' : ` (MongoDB ${header.serverVersion})`}.`

const sources = { proxy: 'a proxy', pcap: 'a capture', profile: 'a profile', log: 'a log' } as const

/** Lists everything else about a recording, as sentences. */
export function facts(summary: TrafficSummary): readonly string[] {
  const { arrivals, maxConcurrency, thinkUs, sessions, transactions, header, cutAt } = summary
  const leftOut = leftOutText(summary.leftOut).map((text) => `${text[0]?.toUpperCase()}${text.slice(1)}.`)
  return [
    ...(leftOut.length === 0 ? ['No call was left out.'] : leftOut),
    ...(cutAt === null ? [] : [`The file was cut: nothing after byte ${cutAt} can be read.`]),
    ...header.limits,
    `${readableNumber(arrivals.perSecond)} calls per second on average, ${groupDigits(arrivals.maxPerSecond)} in the fullest second${arrivalText(arrivals.dispersion)}.`,
    `Calls at the same time: at most ${groupDigits(maxConcurrency)}. Sessions: ${groupDigits(sessions)}. Transactions: ${groupDigits(transactions)}.`,
    ...(thinkUs === null
      ? []
      : [
          `From a reply to the next call of its connection: ${readableNumber(thinkUs.p50 / 1000)} ms in the median, ${readableNumber(thinkUs.p95 / 1000)} ms at the 95th percentile.`,
        ]),
    `${megabytes(summary.requestBytes)} sent, ${megabytes(summary.replyBytes)} received.`,
    valuesText[header.values],
  ]
}

const megabytes = (bytes: number): string => `${readableNumber(bytes / 1_000_000)} MB`

function arrivalText(dispersion: number | null): string {
  if (dispersion === null) return ''
  const arrivals = toArrivals(dispersion)
  const how = typeof arrivals === 'object' ? 'in bursts' : arrivalWords[arrivals]
  return `; they arrive ${how} (dispersion ${readableNumber(dispersion)})`
}

const arrivalWords = { poisson: 'randomly', constant: 'at even intervals' }

const valuesText = {
  keep: 'The recording has all values: whoever may read it sees the data of the application.',
  hash: 'Values in the recording are hashed: equality and order of magnitude show.',
  shape: 'The recording has no values: types and lengths show.',
} as const

/** Says which shape took most of the time and why, where the recording tells what the server did. Else it says nothing. */
export function createWorkAnswer(shapes: readonly ShapeSummary[]): readonly Block[] {
  const [most] = listWorked(shapes)
  if (most === undefined) return []
  const { name, work, documentsPerCall, timePercent } = most
  const returned = documentsPerCall === null ? '' : ` and returns ${readableNumber(documentsPerCall)}`
  const examined = `on average it examines ${readableNumber(work.documents)} documents${returned}`
  const plan = work.plan === '' ? '' : `, with the plan ${work.plan}`
  return [paragraph(`${readableNumber(timePercent)} % of the time went to ${name}: ${examined}${plan}.`, 'strong')]
}

/**
 * Lists what the server did for each shape, the one that took most of the time first.
 * @param shown How many shapes. Default: all.
 */
export function createWorkBlocks(shapes: readonly ShapeSummary[], shown = Infinity): readonly Block[] {
  const worked = listWorked(shapes).slice(0, shown)
  if (worked.length === 0) return []
  const table = plainTable(
    'Work of the server',
    [
      { title: 'Time %', cell: ({ timePercent }) => timePercent, digits: 'significant' },
      { title: 'Examined', cell: ({ work }) => work.documents, digits: 'significant' },
      { title: 'Keys', cell: ({ work }) => work.keys, digits: 'significant' },
      { title: 'Returned', cell: ({ documentsPerCall }) => documentsPerCall, digits: 'significant' },
      { title: 'Plan', cell: ({ work }) => work.plan },
      { title: 'Shape', cell: ({ name }) => name },
    ],
    worked,
  )
  return [tableBlock(table)]
}

function listWorked(shapes: readonly ShapeSummary[]) {
  const totalUs = Math.max(
    1,
    shapes.reduce((sum, shape) => sum + shape.totalUs, 0),
  )
  return shapes
    .flatMap(({ work, ...shape }) =>
      work === null ? [] : [{ ...shape, work, timePercent: (100 * shape.totalUs) / totalUs }],
    )
    .toSorted((a, b) => b.totalUs - a.totalUs)
}
