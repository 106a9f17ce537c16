import { groupDigits } from '../core/quantities.ts'
import { readableNumber } from '../metrics/format.ts'
import { type Block, createListBlocks, paragraph, tableBlock } from '../report/blocks/block.ts'
import { type ComparedFigure } from '../report/comparison/comparison.ts'
import { plainTable, type Table } from '../report/tables/table.ts'
import { type AdvisedIndex, type AdvisedShape, type CollectionAdvice } from './advise-on-collection.ts'
import { type Advice } from './advise.ts'
import { formatKey } from './candidate.ts'
import { type MeasuredAdvice } from './measure.ts'

/** Advice, and what it is about: whose calls, on which data. */
export type ShownAdvice = Advice & {
  readonly database: string
  readonly file: string
  readonly calls: number
  /** Time in which the calls came. Null: not known. */
  readonly seconds: number | null
  readonly values: 'known' | 'hidden'
  /** Undefined: it was only counted. */
  readonly measured: MeasuredAdvice | undefined
}

/** Says which indexes to create and to drop, what that saves, how sure that is, and how to do it. */
export function adviceBlocks(shown: ShownAdvice): readonly Block[] {
  const { collections, missing, measured } = shown
  const changed = collections.filter(({ create, drop }) => create.length + drop.length > 0)
  const commands = changed.flatMap(listCommands)
  return [
    paragraph(sayWhat(collections), 'strong'),
    ...sayMeasured(measured),
    paragraph(sayHow(shown)),
    ...changed.flatMap((one) => collectionBlocks(one, shown)),
    ...(commands.length === 0
      ? []
      : [
          {
            kind: 'code',
            text: [`db = db.getSiblingDB(${JSON.stringify(shown.database)})`, ...commands].join('\n'),
          } as const,
        ]),
    ...createListBlocks([
      ...collections.flatMap(({ profile, notes }) => notes.map((note) => `${profile.collection}: ${note}`)),
      ...(missing.length === 0 ? [] : [`Not in the data: ${missing.join(', ')}.`]),
      ...(measured?.notes ?? []),
      ...(measured?.limits ?? []),
    ]),
  ]
}

function sayWhat(collections: readonly CollectionAdvice[]): string {
  const created = collections.reduce((sum, { create }) => sum + create.length, 0)
  const dropped = collections.reduce((sum, { drop }) => sum + drop.length, 0)
  if (created + dropped === 0) return "Today's indexes fit this traffic: there is none to create and none to drop."
  const [today, advised] = (['today', 'advised'] as const).map((which) =>
    collections.reduce((sum, one) => sum + one[which], 0),
  )
  const steps = [
    ...(created > 0 ? [`Create ${countIndexes(created)}`] : []),
    ...(dropped > 0 ? [created > 0 ? `drop ${dropped}` : `Drop ${countIndexes(dropped)}`] : []),
  ].join(' and ')
  return created === 0
    ? `${steps}: no call of this traffic examines more without.`
    : `${steps}: this traffic then takes ${formatShare((advised ?? 0) / Math.max(1, today ?? 0))} of today's work.`
}

const countIndexes = (number: number): string => `${number} ${number === 1 ? 'index' : 'indexes'}`

/** Formats a share: "1/26", "83 %". @param like The share in whose form it is. Default: itself. */
const formatShare = (share: number, like = share): string =>
  like < 1 / 2 && share < 1 ? `1/${readableNumber(1 / Math.max(share, 1e-9))}` : `${readableNumber(100 * share)} %`

function formatRatio({ ratio, interval }: ComparedFigure): string {
  if (ratio === null) return 'not known'
  if (interval === null) return formatShare(ratio)
  return `${formatShare(ratio)} (${formatShare(interval.low, ratio)} to ${formatShare(interval.high, ratio)})`
}

function sayMeasured(measured: MeasuredAdvice | undefined): readonly Block[] {
  if (measured?.cpu === undefined) return []
  return [paragraph(`Measured: the server's CPU for these reads is ${formatRatio(measured.cpu)} of today's.`, 'strong')]
}

function sayHow({ collections, file, calls, seconds, values }: ShownAdvice): string {
  const documents = collections.reduce((sum, { profile }) => sum + profile.documents, 0)
  const time = seconds === null ? '' : ` in ${readableNumber(seconds)} s`
  return [
    `Work: keys and documents that the server examines, documents that it sorts, and entries of indexes that it writes, for the ${groupDigits(calls)} calls of ${file}${time}, counted on a copy of ${groupDigits(documents)} documents.`,
    'Calls that are not in it, such as a monthly report, are not in the advice.',
    ...(values === 'hidden' ? ['Values of the calls are hidden: figures are those of made-up values.'] : []),
  ].join(' ')
}

function collectionBlocks(
  { profile: { collection }, create, drop, shapes }: CollectionAdvice,
  { database, seconds, measured }: ShownAdvice,
): readonly Block[] {
  const writes = measured?.writes.get(collection)
  const changed = shapes.filter(({ today, advised }) => today !== advised).toSorted((a, b) => saved(b) - saved(a))
  return [
    ...create.map((index) => paragraph(`${database}.${collection}: create ${formatIndex(index)}`, 'strong')),
    ...drop.map(({ name, because }) => paragraph(`${database}.${collection}: drop ${name}: ${because}`, 'strong')),
    ...(writes === undefined
      ? []
      : [paragraph(`Measured: the server's CPU per write to ${collection} is ${formatRatio(writes)} of today's.`)]),
    ...(changed.length === 0 ? [] : [tableBlock(shapesTable(`${database}.${collection}`, changed, seconds, measured))]),
  ]
}

const saved = ({ group, today, advised }: AdvisedShape): number => group.count * (today - advised)

/**
 * Lists shapes with their work for a call.
 * @param seconds Time in which the calls came. Null: not known.
 */
function shapesTable(
  title: string,
  shapes: readonly AdvisedShape[],
  seconds: number | null,
  measured: MeasuredAdvice | undefined,
): Table {
  const readP50 = ({ group }: AdvisedShape): string => {
    const figure = measured?.p50.get(group)
    return figure === undefined ? '' : formatRatio(figure)
  }
  return plainTable(
    title,
    [
      { title: 'Operation', cell: ({ name }) => name },
      seconds === null
        ? { title: 'Calls', cell: ({ group }) => group.count }
        : { title: '/s', cell: ({ group }) => group.count / seconds, digits: 'significant' },
      { title: 'Work', cell: ({ today }) => today, digits: 'significant' },
      { title: 'Then', cell: ({ advised }) => advised, digits: 'significant' },
      ...(measured === undefined ? [] : [{ title: 'p50, measured', cell: readP50 }]),
    ],
    shapes,
  )
}

/** Lists all shapes that were counted, for programs. */
export const adviceTable = ({ collections, seconds, measured }: ShownAdvice): Table =>
  shapesTable(
    'Operations',
    collections.flatMap(({ shapes }) => shapes),
    seconds,
    measured,
  )

/** The advice for programs, without values of calls. */
export const adviceJson = ({ database, calls, seconds, collections, missing, measured }: ShownAdvice) => ({
  database,
  calls,
  seconds,
  collections: collections.map(
    ({ profile: { collection, documents }, create, drop, shapes, today, advised, notes }) => ({
      collection,
      documents,
      create: create.map(({ key, options, megabytes }) => ({ key: Object.fromEntries(key), ...options, megabytes })),
      drop,
      work: { today, advised },
      serverCpuOfWrites: readRatio(measured?.writes.get(collection)),
      operations: shapes.map((shape) => ({
        name: shape.name,
        calls: shape.group.count,
        work: { today: shape.today, advised: shape.advised },
        p50: readRatio(measured?.p50.get(shape.group)),
      })),
      notes,
    }),
  ),
  missing,
  serverCpu: readRatio(measured?.cpu),
})

const readRatio = (figure: ComparedFigure | undefined) =>
  figure === undefined ? null : { ratio: figure.ratio, interval: figure.interval, verdict: figure.verdict.kind }

function formatIndex({ key, options, megabytes }: AdvisedIndex): string {
  const { partialFilterExpression: condition, collation } = options
  return [
    formatKey(key),
    ...(condition === undefined ? [] : [`of the documents with ${JSON.stringify(condition)}`]),
    ...(collation === undefined ? [] : [`with the collation ${JSON.stringify(collation)}`]),
    `(${megabytes < 0.1 ? `${readableNumber(megabytes * 1024)} KB` : `${readableNumber(megabytes)} MB`} on the copy)`,
  ].join(' ')
}

/** Lines for the shell. An index is hidden before it is dropped: to show it again takes no time. */
function listCommands({ profile: { collection }, create, drop }: CollectionAdvice): readonly string[] {
  const at = `db.getCollection(${JSON.stringify(collection)})`
  return [
    ...create.map(({ key, options }) => {
      const given = Object.keys(options).length === 0 ? '' : `,\n  ${JSON.stringify(options)}`
      return `${at}.createIndex(${formatKey(key)}${given})`
    }),
    ...drop.map(({ name }) => `${at}.hideIndex(${JSON.stringify(name)}) // and later: dropIndex`),
  ]
}
