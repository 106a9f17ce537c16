import { type Json, type JsonObject } from '../json.ts'

/** Label of the variant without the compared indexes. */
export const noIndex = 'none'

/** Name of the phase with the writes. */
export const writePhase = 'write'

/** What the variants differ in, by label. */
export type Compared = {
  /** With the phase of the query that uses it, if there is one. */
  readonly indexes: readonly { readonly label: string; readonly query: string | undefined }[]
  /** The others are compared with the first. */
  readonly writeConcerns: readonly string[]
}

type Row = Readonly<Record<string, string>>

/** A report on what indexes cost writes and gain queries, and on what write concerns cost. */
export function comparisonReport(compared: Compared): JsonObject {
  const { indexes, writeConcerns } = compared
  const queries = indexes.flatMap(({ query }) => query ?? [])
  const names = [...(indexes.length > 0 ? ['index'] : []), ...(writeConcerns.length > 1 ? ['writeConcern'] : [])]
  return {
    ...analysisOf(compared),
    tables: [writeTable(compared), ...queries.map((query) => queryTable(query, compared))],
    charts: [
      ...names.map((name) => ({ kind: 'bar', x: { parameter: name }, y: [`${writePhase}.opsPerSecond`] })),
      ...queries.map((query) => ({
        kind: 'bar',
        title: `Query: ${query}`,
        x: { parameter: 'index' },
        y: [`${query}.p50Ms`],
      })),
    ],
  }
}

const writeTable = (compared: Compared): JsonObject => ({
  title: 'Writes',
  columns: [
    ...whichRow(compared),
    { metric: `${writePhase}.opsPerSecond`, title: 'Writes (ops/s)' },
    ...ratios(`${writePhase}.opsPerSecond`, compared),
    { metric: `${writePhase}.insertOne.p50Ms`, title: 'Insert p50 (ms)' },
    { metric: `${writePhase}.insertOne.p99Ms`, title: 'Insert p99 (ms)' },
    { metric: `${writePhase}.opsPerSecond`, show: 'interval', title: 'Writes (ops/s) over Runs' },
    `${writePhase}.errors`,
    ...(compared.indexes.length > 0
      ? ['storage.indexMB', { value: growth({}), title: 'Of This Index (MB)', digits: 1 }]
      : []),
  ],
})

const queryTable = (query: string, compared: Compared): JsonObject => ({
  title: `Query: ${query}`,
  columns: [
    ...whichRow(compared),
    `${query}.opsPerSecond`,
    ...ratios(`${query}.opsPerSecond`, { ...compared, writeConcerns: [] }),
    `${query}.p50Ms`,
    `${query}.p99Ms`,
    `${query}.docsExaminedPerOperation`,
    { metric: `${query}.opsPerSecond`, show: 'interval' },
    `${query}.errors`,
  ],
})

const whichRow = ({ indexes, writeConcerns }: Compared): readonly Json[] => [
  ...(indexes.length > 0 ? [{ parameter: 'index', title: 'Index' }] : []),
  ...(writeConcerns.length > 0 ? [{ parameter: 'writeConcern', title: 'Write Concern' }] : []),
]

const ratios = (metric: string, { indexes, writeConcerns: [first, ...others] }: Compared): readonly Json[] => [
  ...(indexes.length > 0 ? [ratioColumn(metric, { index: noIndex }, 'without Index')] : []),
  ...(first !== undefined && others.length > 0 ? [ratioColumn(metric, { writeConcern: first }, `of ${first}`)] : []),
]

const ratioColumn = (metric: string, at: Row, base: string): Json => ({
  value: ratio(metric, {}, at),
  title: `Times the Throughput ${base}`,
  digits: 2,
})

const ratio = (metric: string, of: Row, to: Row): Json => ({ '@divide': [metricAt(metric, of), metricAt(metric, to)] })

const growth = (of: Row): Json => ({
  '@subtract': [metricAt('storage.indexMB', of), metricAt('storage.indexMB', { ...of, index: noIndex })],
})

const metricAt = (of: string, at: Row): Json => ({ '@metric': Object.keys(at).length > 0 ? { of, at } : of })

/** The analysis as text, for the first write concern. */
function analysisOf({ indexes, writeConcerns }: Compared): JsonObject {
  const [first, ...others] = writeConcerns
  const atFirst: Row = first === undefined ? {} : { writeConcern: first }
  const values: Record<string, Json> = {}
  const lines: string[] = []
  for (const [i, { label, query }] of indexes.entries()) {
    const [with_, without] = [
      { ...atFirst, index: label },
      { ...atFirst, index: noIndex },
    ]
    values[`writes${i}`] = ratio(`${writePhase}.opsPerSecond`, with_, without)
    values[`size${i}`] = growth(with_)
    if (query !== undefined) values[`query${i}`] = ratio(`${query}.opsPerSecond`, with_, without)
    lines.push(
      `- With \`${label}\`, writes${first === undefined ? '' : ` (${first})`} run at {{writes${i}}} times the throughput without it${query === undefined ? '' : `, and its query at {{query${i}}} times`}. It takes {{size${i}}} MB on disk.`,
    )
  }
  const atNone: Row = indexes.length > 0 ? { index: noIndex } : {}
  for (const [i, label] of others.entries()) {
    values[`concern${i}`] = ratio(
      `${writePhase}.opsPerSecond`,
      { ...atNone, writeConcern: label },
      { ...atNone, ...atFirst },
    )
    lines.push(`- With ${label}, writes run at {{concern${i}}} times the throughput of ${first}.`)
  }
  return lines.length === 0
    ? {}
    : { let: values, analysis: [...lines, '', 'A difference no larger than the spread may be noise.'] }
}
