import { type Document } from 'mongodb'
import { type JsonObject } from '../../core/json.ts'
import { type CollectionProfile, namespaceOf } from './collection-profile.ts'
import { type DrawContext } from './draws.ts'
import { collationOf, holdsText } from './indexes.ts'
import { literalFields } from './kinds.ts'
import { isCopyable } from './parameterize-pipeline.ts'

/** Options of `create` that a spec has under the same names. */
const copied = ['storageEngine', 'clusteredIndex'] as const
const ofValidator = ['validator', 'validationLevel', 'validationAction'] as const
const handled = new Set([
  'capped',
  'size',
  'max',
  'collation',
  'viewOn',
  'pipeline',
  'timeseries',
  'autoIndexId',
  ...copied,
  ...ofValidator,
])

/** The options of a data set, with notes on those that it does not have. */
export function optionsOf(
  profile: CollectionProfile,
  { notes, keepValues }: Pick<DrawContext, 'notes' | 'keepValues'>,
): JsonObject {
  const { options, kind } = profile
  const isSecret = (!keepValues && holdsText(options['validator'])) || !isCopyable(options['validator'])
  if (isSecret) notes.add('The validator is left out: it holds values or operators that must not be in a spec.')
  const name = namespaceOf(profile)
  if (kind === 'timeseries')
    notes.add(
      `${name} is a time-series collection, and the spec makes a plain one with an index on its time: sizes and times differ. Nothing is updated in it.`,
    )
  if (kind === 'view')
    notes.add(
      `${name} is a view of ${String(options['viewOn'])}, and the spec makes a plain collection of what it shows: its pipeline costs nothing here. --existing reads the view itself.`,
    )
  if (options['expireAfterSeconds'] !== undefined)
    notes.add(`${name} expires its documents, and the collection of the spec keeps them.`)
  if (options['capped'] === true)
    notes.add(`${name} is capped: inserts remove its oldest documents, which reads by "_id" then no longer find.`)
  const lost = Object.keys(options).filter((option) => !handled.has(option) && option !== 'expireAfterSeconds')
  if (lost.length > 0) notes.add(`Options of ${name} that a spec does not have: ${lost.join(', ')}.`)
  const isChecked = options['validator'] !== undefined && !isSecret
  const kept = isChecked ? [...copied, ...ofValidator] : copied
  const isCapped = options['capped'] === true
  const chosen: Document = {
    ...(isCapped ? { capped: true, size: Number(options['size']) } : {}),
    ...(isCapped && Number(options['max']) > 0 ? { max: Number(options['max']) } : {}),
    ...Object.fromEntries(kept.flatMap((option) => (option in options ? [[option, options[option]]] : []))),
    ...collationOf(options['collation']),
  }
  // The server adds the version of its format.
  if (chosen['clusteredIndex']) delete chosen['clusteredIndex'].v
  return Object.keys(chosen).length > 0 ? { options: literalFields(chosen) } : {}
}
