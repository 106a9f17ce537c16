import { Problem } from '../../../core/errors.ts'
import { type Json, type JsonObject } from '../../../core/json.ts'
import { type CollectionProfile, formatNamespace } from '../collection/collection-profile.ts'
import { queryForIndex } from '../collection/index-operations.ts'
import { findByKey, planIndexes } from '../collection/indexes.ts'
import { valuesOfSample } from '../data/value-source.ts'
import { type Draft, readsOnly, timedPhase } from '../draft.ts'
import { operationName } from '../names.ts'
import { createNotes, type Notes } from '../notes.ts'
import { planQuery } from '../query/parameterize-query.ts'
import { type OwnQuery } from '../query/read-query.ts'
import { queryTable, ratioLine, writeLines } from './comparison-report.ts'
import { type IndexKey } from './spec-of-comparison.ts'

/** Label of the variant that reads the whole collection. */
const scan = 'scan'

/** Compares indexes that the collection has with reading it whole, by hints: nothing is built or dropped. */
export function specOfExistingIndexes(
  profile: CollectionProfile,
  keys: readonly IndexKey[],
  query: OwnQuery | undefined,
): Draft {
  const notes = createNotes()
  const namespace = formatNamespace(profile)
  const labels = keys.map((key) => findIndex(profile, key))
  const own = query && planQuery(query, profile, { keepValues: true, isExisting: true, notes })
  const phase = own?.name ?? operationName(labels.join('_'))
  const operation = own?.operationOn(undefined) ?? guessQuery(profile, labels, notes)
  const report = { indexes: labels.map((label) => ({ label, query: phase })), writeConcerns: [] }
  const lines = labels.map((label, i) =>
    ratioLine(`query${i}`, [{ index: label }, { index: scan }], {
      of: `${phase}.opsPerSecond`,
      noun: 'queries per second',
      text: `- The query with \`${label}\` instead of reading the whole collection`,
    }),
  )
  return {
    name: `${namespace}-existing-indexes`,
    title: `${namespace}: indexes compared`,
    description: [...readsOnly(namespace), 'A hint chooses the index of each row.'],
    notes,
    data: namespace,
    variants: {
      index: [{ label: scan, value: { $natural: 1 } } as Json].concat(labels.map((label) => ({ label, value: label }))),
    },
    phases: [timedPhase(phase, [{ ...operation, hint: { '@param': 'index' } }])],
    report: {
      ...writeLines(lines),
      tables: [queryTable(phase, report, scan)],
      charts: [{ kind: 'bar', x: { parameter: 'index' }, y: [`${phase}.p50Ms`] }],
    },
  }
}

/** The name of an index that hints can choose. */
function findIndex(profile: CollectionProfile, key: IndexKey): string {
  const found = findByKey(profile.indexes, key)
  const refuse = (reason: string, hint: string): never => {
    throw new Problem('usage', `--index ${JSON.stringify(key)} cannot be compared: ${reason}`, { hint })
  }
  if (found === undefined)
    return refuse(
      `${formatNamespace(profile)} has no such index, and --existing builds none`,
      `Without --existing, made-up data like yours is measured with the index and without it; mongo-perf advise ${formatNamespace(profile)} --index … builds it there for a while.`,
    )
  if (found['hidden'] === true) return refuse(`"${found.name}" is hidden`, 'Queries can only use it once it is shown.')
  if (Object.values(key).some((kind) => typeof kind === 'string' && kind !== 'hashed'))
    return refuse('its queries cannot do without it', 'Name indexes with 1, -1 and "hashed".')
  if (found['sparse'] === true || found['partialFilterExpression'] !== undefined)
    return refuse(
      `"${found.name}" does not hold every document, so a hint would change what the query finds`,
      'Without --existing, made-up data like yours is measured with the index and without it.',
    )
  return found.name
}

/** The query that an index is probably for. */
function guessQuery(profile: CollectionProfile, [name = '', ...others]: readonly string[], notes: Notes): JsonObject {
  const index = planIndexes(profile, { notes: createNotes(), keepValues: true }).find((one) => one.name === name)
  const query = index && queryForIndex(index, { shape: profile.shape, source: valuesOfSample, notes })
  if (query === undefined || others.length > 0)
    throw new Problem('usage', `--index ${[name, ...others].join(', ')}: the query to compare is not known`, {
      hint: `Give it with --query '{"customer":17}'.`,
    })
  return query
}
