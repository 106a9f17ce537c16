import { groupDigits } from '../core/quantities.ts'
import { readableNumber } from '../metrics/format.ts'
import { type Block, createListBlocks, paragraph, tableBlock } from '../report/blocks/block.ts'
import { plainTable, type Table } from '../report/tables/table.ts'
import { type AdvisedShape, type CollectionAdvice } from './advise-on-collection.ts'
import { type Advice } from './advise.ts'
import { type Candidate, formatKey } from './candidate.ts'

/** What the advice is about: whose calls, and on which data. */
export type AdviceSource = {
  readonly database: string
  readonly file: string
  readonly calls: number
  readonly seconds: number | null
  readonly values: 'known' | 'hidden'
}

/** Says which indexes to create and to drop, what that saves, and how to do it. */
export function adviceBlocks({ collections, missing }: Advice, source: AdviceSource): readonly Block[] {
  const changed = collections.filter(({ create, drop }) => create.length + drop.length > 0)
  return [
    paragraph(sayWhat(collections), 'strong'),
    paragraph(sayHowSure(collections, source)),
    ...changed.flatMap((one) => collectionBlocks(one, source)),
    ...(changed.length === 0
      ? []
      : [{ kind: 'code', text: changed.flatMap((one) => listCommands(one, source)).join('\n') } as const]),
    ...createListBlocks([
      ...collections.flatMap(({ collection, notes }) => notes.map((note) => `${collection}: ${note}`)),
      ...(missing.length === 0 ? [] : [`Not in the data: ${missing.join(', ')}.`]),
    ]),
  ]
}

function sayWhat(collections: readonly CollectionAdvice[]): string {
  const [created, dropped] = [collections.flatMap(({ create }) => create), collections.flatMap(({ drop }) => drop)]
  if (created.length + dropped.length === 0)
    return 'Today’s indexes are right for this traffic: none to create, and none to drop.'
  const steps = [
    ...(created.length > 0 ? [`Create ${countIndexes(created.length)}`] : []),
    ...(dropped.length > 0 ? [`${created.length > 0 ? 'drop' : 'Drop'} ${countIndexes(dropped.length)}`] : []),
  ].join(' and ')
  const sum = (which: 'today' | 'advised'): number => collections.reduce((all, one) => all + one[which], 0)
  return created.length === 0
    ? `${steps}: no call examines more without.`
    : `${steps}: this traffic then takes ${sayShare(sum('advised'), sum('today'))} of today's work.`
}

const countIndexes = (number: number): string => `${number} ${number === 1 ? 'index' : 'indexes'}`

/** Formats a share: "1/26" or "83 %". */
const sayShare = (then: number, today: number): string =>
  then * 4 < today
    ? `1/${readableNumber(today / Math.max(1, then))}`
    : `${readableNumber((100 * then) / Math.max(1, today))} %`

function sayHowSure(collections: readonly CollectionAdvice[], { file, calls, seconds, values }: AdviceSource): string {
  const documents = collections.reduce((sum, one) => sum + one.documents, 0)
  const time = seconds === null ? '' : ` in ${readableNumber(seconds)} s`
  const made = values === 'hidden' ? ' Values of the calls are hidden, so the data are made up.' : ''
  return `Counted, not timed: keys and documents that the server examines for the ${groupDigits(calls)} calls of ${file}${time}, on a copy of ${groupDigits(documents)} documents, with what writes pay for the indexes. Calls that are not in it, such as a monthly report, are not in the advice.${made}`
}

function collectionBlocks(
  { collection, create, drop, shapes }: CollectionAdvice,
  { database, seconds }: AdviceSource,
): readonly Block[] {
  const changed = shapes.filter(({ today, advised }) => today !== advised).toSorted((a, b) => saved(b) - saved(a))
  const table = shapesTable(`${database}.${collection}`, changed, seconds)
  return [
    ...create.map((candidate) => paragraph(`${database}.${collection}: create ${formatIndex(candidate)}`, 'strong')),
    ...drop.map(({ name, because }) => paragraph(`${database}.${collection}: drop ${name}: ${because}`, 'strong')),
    ...(changed.length === 0 ? [] : [tableBlock(table)]),
  ]
}

/** Lists shapes with their work. @param seconds In which the calls came. Null: not known. */
const shapesTable = (title: string, shapes: readonly AdvisedShape[], seconds: number | null): Table =>
  plainTable(
    title,
    [
      { title: 'Operation', cell: ({ name }) => name },
      seconds === null
        ? { title: 'Calls', cell: ({ calls }) => calls }
        : { title: '/s', cell: ({ calls }) => calls / seconds, digits: 'significant' },
      { title: 'Examined Today', cell: ({ today }) => today, digits: 'significant' },
      { title: 'Then', cell: ({ advised }) => advised, digits: 'significant' },
    ],
    shapes,
  )

/** Lists all shapes that were counted, for programs. */
export const adviceTable = ({ collections }: Advice, seconds: number | null): Table =>
  shapesTable(
    'Operations',
    collections.flatMap(({ shapes }) => shapes),
    seconds,
  )

const saved = ({ calls, today, advised }: AdvisedShape): number => calls * (today - advised)

function formatIndex({ key, options }: Candidate): string {
  const { partialFilterExpression: condition, collation } = options
  const only = condition === undefined ? '' : ` of the documents with ${JSON.stringify(condition)} alone`
  return `${formatKey(key)}${only}${collation === undefined ? '' : `, with the collation ${JSON.stringify(collation)}`}`
}

/** Lines for the shell. An index is hidden first: to show it again takes no time. */
function listCommands({ collection, create, drop }: CollectionAdvice, { database }: AdviceSource): readonly string[] {
  const at = `db.getSiblingDB(${JSON.stringify(database)}).getCollection(${JSON.stringify(collection)})`
  return [
    ...create.map(({ key, options }) => {
      const given = Object.keys(options).length === 0 ? '' : `, ${JSON.stringify(options)}`
      return `${at}.createIndex(${formatKey(key)}${given})`
    }),
    ...drop.map(({ name }) => `${at}.hideIndex(${JSON.stringify(name)}) // later: dropIndex`),
  ]
}
