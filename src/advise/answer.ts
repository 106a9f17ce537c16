import { formatQuantity } from '../core/quantities.ts'
import { readableNumber } from '../metrics/format.ts'
import { type Block, createListBlocks, paragraph, tableBlock } from '../report/blocks/block.ts'
import { type ComparedFigure } from '../report/comparison/comparison.ts'
import { plainTable, type Table } from '../report/tables/table.ts'
import { type AdvisedIndex, type AdvisedShape, type CollectionAdvice } from './advise-on-collection.ts'
import { type Advice } from './advise.ts'
import { type Candidate, countIndexes, formatKey } from './candidate.ts'
import { describeIndexes, formatRatio, formatShare } from './index-lines.ts'
import { type MeasuredAdvice } from './measure.ts'
import { type Place } from './place.ts'
import { type AcceptedAdvice, sayAccepted } from './read-advice.ts'
import { type Workload } from './workload.ts'

/** Advice, and what it is about: whose calls, on which data. */
export type ShownAdvice = Advice &
  Pick<Place, 'data'> &
  Pick<Workload, 'database' | 'source' | 'text' | 'calls' | 'seconds' | 'values'> & {
    /** Indexes that were decided on earlier. */
    readonly accepted: AcceptedAdvice
    /** Undefined: it was only counted. */
    readonly measured: MeasuredAdvice | undefined
  }

/** Says which indexes to create and to drop, what that saves, how sure that is, and how to do it. */
export function adviceBlocks(shown: ShownAdvice): readonly Block[] {
  const { collections, missing, measured } = shown
  const changed = collections.filter(({ create, drop }) => create.length + drop.length > 0)
  const commands = changed.flatMap(listCommands)
  const ofAccepted = sayAccepted(collections, shown.accepted)
  return [
    paragraph(sayWhat(shown), 'strong'),
    ...(ofAccepted === '' ? [] : [paragraph(ofAccepted, 'strong')]),
    ...sayMeasured(shown),
    paragraph(sayHow(shown)),
    ...collections.flatMap((one) => collectionBlocks(one, shown)),
    ...(commands.length === 0
      ? []
      : [
          {
            kind: 'code',
            language: 'js',
            text: [`db = db.getSiblingDB(${JSON.stringify(shown.database)})`, ...commands].join('\n'),
          } as const,
        ]),
    ...createListBlocks([
      ...collections.flatMap(({ profile, notes }) => notes.map((note) => `${profile.collection}: ${note}`)),
      ...(missing.length === 0
        ? []
        : [
            `No advice on ${missing.join(', ')}: not in the data, which may need a larger dump, or a view or a time series.`,
          ]),
      ...(measured?.notes ?? []),
      ...(measured?.limits ?? []),
    ]),
  ]
}

const ofServer = {
  counted: (documents: string) => `counted on ${documents} of the server.`,
  size: 'With its indexes the database has',
  today: "today's",
  nothing: "Today's indexes are enough: there is none to create and none to drop.",
}
const ofCopy: typeof ofServer = {
  ...ofServer,
  counted: (documents) => `counted on a copy of ${documents}.`,
  size: 'With their indexes they have',
}

/** Texts about the documents on which work is counted, by where they are from. */
const aboutData: Readonly<Record<Place['data'], typeof ofServer>> = {
  server: ofServer,
  dump: ofCopy,
  spec: { ...ofCopy, counted: (documents) => `counted on ${documents} of its data.` },
  'made up': {
    ...ofCopy,
    counted: (documents) =>
      `counted on ${documents} made up from the recording. Today's indexes are not in it: the server may have some of these.`,
    today: 'that without indexes',
    nothing: 'No index is worth it for this traffic.',
  },
}

function sayWhat({ collections, data }: ShownAdvice): string {
  const created = collections.reduce((sum, { create }) => sum + create.length, 0)
  const dropped = collections.reduce((sum, { drop }) => sum + drop.length, 0)
  if (created + dropped === 0) return aboutData[data].nothing
  const [today, advised] = (['today', 'advised'] as const).map((which) =>
    collections.reduce((sum, one) => sum + one[which], 0),
  )
  const steps = [
    ...(created > 0 ? [`Create ${countIndexes(created)}`] : []),
    ...(dropped > 0 ? [created > 0 ? `drop ${dropped}` : `Drop ${countIndexes(dropped)}`] : []),
  ].join(' and ')
  return created === 0
    ? `${steps}: no operation of this traffic does more work without.`
    : `${steps}: the work is then ${formatShare((advised ?? 0) / Math.max(1, today ?? 0))} of ${aboutData[data].today}.`
}

function sayMeasured({ measured, data }: ShownAdvice): readonly Block[] {
  if (measured?.cpu === undefined) return []
  const share = `${formatRatio(measured.cpu)} of ${aboutData[data].today}`
  return [paragraph(`Measured: the server's CPU for these reads is ${share}.`, 'strong')]
}

function sayHow({ collections, text, values, megabytes, data }: ShownAdvice): string {
  const documents = collections.reduce((sum, { profile }) => sum + profile.documents, 0)
  const [size, cache] = [megabytes.data, megabytes.cache].map(readableNumber)
  const { counted, size: what } = aboutData[data]
  return [
    `Work: keys and documents that the server examines, documents that it sorts, and entries of indexes that it writes, for ${text}, ${counted(formatQuantity(documents, 'document'))}`,
    ...(megabytes.cache === 0
      ? []
      : megabytes.data <= megabytes.cache
        ? [`${what} ${size} MB, which fit the cache of ${cache} MB: times of the disk are not in the metrics.`]
        : [`${what} ${size} MB, which do not fit the cache of ${cache} MB.`]),
    'Other operations, such as a monthly report, are not in the advice.',
    ...(values === 'hidden' ? ['Values of the operations are hidden: metrics are those of made-up values.'] : []),
  ].join(' ')
}

function collectionBlocks(advice: CollectionAdvice, shown: ShownAdvice): readonly Block[] {
  const { database, seconds, measured } = shown
  const { collection } = advice.profile
  const title = `${database}.${collection}`
  const writes = measured?.writes.get(collection)
  const changed = advice.shapes
    .filter(({ today, advised }) => today !== advised)
    .toSorted((a, b) => saved(b) - saved(a))
  const lines = describeIndexes(advice, shown)
  const measuredWrites =
    writes === undefined
      ? []
      : [
          `measured: with this advice, the server's CPU per write is ${formatRatio(writes)} of ${aboutData[shown.data].today}`,
        ]
  return [
    ...(lines.length === 0 ? [] : [paragraph(title, 'strong'), ...createListBlocks([...lines, ...measuredWrites])]),
    ...(changed.length === 0
      ? []
      : [tableBlock(shapesTable(`Operations on ${collection}`, changed, seconds, measured))]),
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
        ? { title: 'Operations', cell: ({ group }) => group.count }
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

/** The advice for programs, without values of operations. */
export const adviceJson = ({ database, calls, seconds, collections, missing, megabytes, measured }: ShownAdvice) => ({
  database,
  calls,
  seconds,
  collections: collections.map((one) => ({
    collection: one.profile.collection,
    documents: one.profile.documents,
    create: one.create.map((index) => ({
      ...readIndex(index),
      megabytes: index.megabytes,
      ...readWorth(index),
      serverCpu: readRatio(measured?.alone.get(index)),
    })),
    drop: one.drop.map(({ name, because, index, megabytes: size, costs }) => ({
      name,
      ...readIndex(index),
      because,
      megabytes: size,
      costs,
    })),
    keep: one.keep.map(({ name, because, index }) => ({ name, ...readIndex(index), because })),
    notWorth: one.notWorth.map((index) => ({ ...readIndex(index), ...readWorth(index) })),
    work: { today: one.today, advised: one.advised },
    serverCpuOfWrites: readRatio(measured?.writes.get(one.profile.collection)),
    operations: one.shapes.map((shape) => ({
      name: shape.name,
      calls: shape.group.count,
      work: { today: shape.today, advised: shape.advised },
      p50: readRatio(measured?.p50.get(shape.group)),
    })),
    notes: one.notes,
  })),
  missing,
  megabytes,
  serverCpu: readRatio(measured?.cpu),
})

const readIndex = ({ key, options }: Pick<Candidate, 'key' | 'options'>) => ({
  key: Object.fromEntries(key),
  ...options,
})

const readWorth = ({ saves, costs }: Pick<AdvisedIndex, 'saves' | 'costs'>) => ({ saves, costs })

const readRatio = (figure: ComparedFigure | undefined) =>
  figure === undefined ? null : { ratio: figure.ratio, interval: figure.interval, verdict: figure.verdict.kind }

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
