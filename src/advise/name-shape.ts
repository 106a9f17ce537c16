import { isDocument } from '../language/values/bson-types.ts'
import { type ProfiledCall } from '../sources/init/profile/profiled-call.ts'

/** Names calls of one shape for people: "find {customer} sort {at}". */
export function nameShape({ kind, filter, pipeline, options }: ProfiledCall): string {
  const { key, sort } = options
  const what = pipeline === undefined ? nameKeys(filter) : pipeline.map((stage) => nameStage(stage)).join(' → ')
  const words = [kind, typeof key === 'string' ? key : '', what, isDocument(sort) ? `sort ${nameKeys(sort)}` : '']
  return words.filter((word) => word !== '').join(' ')
}

function nameStage(stage: Readonly<Record<string, unknown>>): string {
  const [name = '', value] = Object.entries(stage)[0] ?? []
  return name === '$match' || name === '$sort' ? `${name} ${nameKeys(value)}` : name
}

/** Names the fields of a filter. Alternatives are in parentheses. */
function nameKeys(value: unknown): string {
  if (!isDocument(value)) return ''
  const names = Object.entries(value).map(([key, inner]) =>
    key.startsWith('$') && Array.isArray(inner) ? `${key} (${inner.map(nameKeys).join(', ')})` : key,
  )
  return `{${names.join(', ')}}`
}
