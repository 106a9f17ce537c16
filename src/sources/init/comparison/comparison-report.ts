import { type Json, type JsonObject } from '../../../core/json.ts'

/** Label of the variant without the compared indexes. */
export const noIndex = 'none'

export const writePhase = 'write'

/** Differences between the variants, by label. */
export type Compared = {
  /** With the phase of the query that uses it, if there is one. */
  readonly indexes: readonly { readonly label: string; readonly query: string | undefined }[]
  /** The others are compared with the first. */
  readonly writeConcerns: readonly string[]
  /** Name of the first write operation. */
  readonly write: string
}

type ReportRow = Readonly<Record<string, string>>

/** A report on what indexes cost writes and gain queries, and on what write concerns cost. */
export function comparisonReport(compared: Compared): JsonObject {
  const { indexes, writeConcerns } = compared
  const queries = [...new Set(indexes.flatMap(({ query }) => query ?? []))]
  const names = [...(indexes.length > 0 ? ['index'] : []), ...(writeConcerns.length > 1 ? ['writeConcern'] : [])]
  return {
    ...createAnalysis(compared),
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
    { metric: `${writePhase}.${compared.write}.p50Ms`, title: `${formatWrite(compared)} p50 (ms)` },
    { metric: `${writePhase}.${compared.write}.p99Ms`, title: `${formatWrite(compared)} p99 (ms)` },
    { metric: `${writePhase}.opsPerSecond`, show: 'interval', title: 'Writes (ops/s) over Runs' },
    `${writePhase}.errors`,
    ...(compared.indexes.length > 0
      ? ['storage.indexMB', { value: growth({}), title: 'Of This Index (MB)', digits: 1 }]
      : []),
  ],
  ...(compared.indexes.length > 0 && { compare: { to: { index: noIndex } } }),
})

const formatWrite = ({ write }: Compared): string => (write === 'insertOne' ? 'Insert' : 'Update')

/**
 * A table of what each index brings a query.
 * @param base Label of the row that the others are compared with. Default: without the indexes.
 */
export const queryTable = (
  query: string,
  compared: Pick<Compared, 'indexes' | 'writeConcerns'>,
  base = noIndex,
): JsonObject => ({
  title: `Query: ${query}`,
  columns: [
    ...whichRow(compared),
    `${query}.opsPerSecond`,
    `${query}.p50Ms`,
    `${query}.p99Ms`,
    `${query}.docsExaminedPerOperation`,
    { metric: `${query}.opsPerSecond`, show: 'interval' },
    `${query}.errors`,
  ],
  compare: { to: { index: base } },
})

const whichRow = ({ indexes, writeConcerns }: Pick<Compared, 'indexes' | 'writeConcerns'>): readonly Json[] => [
  ...(indexes.length > 0 ? [{ parameter: 'index', title: 'Index' }] : []),
  ...(writeConcerns.length > 0 ? [{ parameter: 'writeConcern', title: 'Write Concern' }] : []),
]

const growth = (of: ReportRow): Json => ({
  '@subtract': [metricAt('storage.indexMB', of), metricAt('storage.indexMB', { ...of, index: noIndex })],
})

const metricAt = (of: string, at: ReportRow): Json => ({ '@metric': Object.keys(at).length > 0 ? { of, at } : of })

/** A line of the analysis, with the value of `let` that it reads. */
type Line = { readonly name: string; readonly value: Json; readonly line: Json }

/** Ratios with their verdicts, as text. */
function createAnalysis(compared: Compared): JsonObject {
  const ofIndexes = compared.indexes.flatMap((index, i) => linesOfIndex(index, i, compared.writeConcerns))
  const lines = [...ofIndexes, ...linesOfConcerns(compared)]
  return lines.length === 0 ? {} : { ...writeLines(lines), finding: createComparisonFinding(compared) }
}

/** The analysis of a report, and the values that it reads. */
export const writeLines = (lines: readonly Line[]): JsonObject => ({
  let: Object.fromEntries(lines.map(({ name, value }) => [name, value])),
  analysis: lines.map(({ line }) => line),
})

/** Creates the finding: gain and cost of the first index, else the cost of the second write concern. */
function createComparisonFinding({ indexes: [index], writeConcerns }: Compared): Json {
  const [first = '', second = ''] = writeConcerns
  if (index === undefined) return { text: `Writes with ${second} instead of ${first}`, ratio: 'concern0' }
  const query = index.query === undefined ? '' : ', its query: {{query0}};'
  const concern = first === '' ? '' : ` (${first})`
  return { text: `With \`${index.label}\` instead of without it${query} writes${concern}`, ratio: 'writes0_0' }
}

/** Writes under each write concern; the query and the size, which do not depend on it, under the first. */
function linesOfIndex(
  { label, query }: Compared['indexes'][number],
  i: number,
  writeConcerns: readonly string[],
): readonly Line[] {
  const concerns: readonly ReportRow[] =
    writeConcerns.length === 0 ? [{}] : writeConcerns.map((writeConcern) => ({ writeConcern }))
  const [first = {}] = concerns
  const instead = `with \`${label}\` instead of without it`
  const rows = (at: ReportRow) => [
    { ...at, index: label },
    { ...at, index: noIndex },
  ]
  const ofQuery = { of: `${query}.opsPerSecond`, noun: 'queries per second', text: `- Its query ${instead}` }
  return [
    ...concerns.map((concern, j) => {
      const text = `- Writes ${[...Object.values(concern).map((w) => `(${w})`), instead].join(' ')}`
      return ratioLine(`writes${i}_${j}`, rows(concern), { ...ofWrites, text })
    }),
    ...(query === undefined ? [] : [ratioLine(`query${i}`, rows(first), ofQuery)]),
    {
      name: `size${i}`,
      value: growth({ ...first, index: label }),
      line: `- Size of \`${label}\` on disk, in MB: {{size${i}}}.`,
    },
  ]
}

function linesOfConcerns({ indexes, writeConcerns: [first = '', ...others] }: Compared): readonly Line[] {
  const atNone: ReportRow = indexes.length > 0 ? { index: noIndex } : {}
  return others.map((other, i) => {
    const rows = [
      { ...atNone, writeConcern: other },
      { ...atNone, writeConcern: first },
    ]
    return ratioLine(`concern${i}`, rows, { ...ofWrites, text: `- Writes with ${other} instead of ${first}` })
  })
}

const ofWrites = { of: `${writePhase}.opsPerSecond`, noun: 'writes per second' }

type Measured = { readonly of: string; readonly noun: string; readonly text: string }

/** A line with a ratio of two rows and its verdict. @param rows The second is what the first is divided by. */
export function ratioLine(name: string, rows: readonly ReportRow[], { of, noun, text }: Measured): Line {
  const [at = {}, to = {}] = rows
  return { name, value: { '@ratio': { of, at, to, noun } }, line: { text, ratio: name } }
}
