import { z } from 'zod'
import { didYouMean, nearest } from '../nearest.ts'

type RawIssue = z.core.$ZodRawIssue

/** The message for an issue of zod. Undefined where the schema has its own message. */
export function reasonOf(issue: RawIssue): string | undefined {
  switch (issue.code) {
    // Only here does zod pass the schema, which knows the valid keys and kinds: they go into the message as JSON.
    case 'unrecognized_keys':
      return issue.inst instanceof z.ZodObject ? JSON.stringify(Object.keys(issue.inst.shape)) : undefined
    case 'invalid_union':
      return issue.inst instanceof z.ZodDiscriminatedUnion ? JSON.stringify(kindsOf(issue.inst)) : undefined
    case 'invalid_type':
      if (issue.input === undefined) return 'is missing'
      return `must be ${typeNames[issue.expected] ?? issue.expected}, not ${typeOf(issue.input)}`
    case 'invalid_value':
      return oneOf(issue.values, issue.input)
    case 'too_small':
      return bound(issue.origin, issue.inclusive === false ? 'above' : 'at least', issue.minimum)
    case 'too_big':
      return bound(issue.origin, issue.inclusive === false ? 'below' : 'at most', issue.maximum)
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be a date of ISO 8601, such as "2026-01-01T00:00:00Z"'
        : `must match ${issue.pattern}`
    case 'invalid_key':
      return `cannot be a name here: ${issue.issues.map(({ message }) => message).join('; ')}`
    default:
      return undefined
  }
}

const kindsOf = (union: z.ZodDiscriminatedUnion): readonly string[] =>
  union.options.flatMap((option) => {
    const kind = option instanceof z.ZodObject ? option.shape[union.def.discriminator] : undefined
    return kind instanceof z.ZodLiteral ? [...kind.values].map(String) : []
  })

const typeNames: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
}

function typeOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'number') return String(input)
  return typeNames[typeof input] ?? typeof input
}

function oneOf(values: readonly unknown[], input: unknown): string {
  const near = typeof input === 'string' ? nearest(input, values.map(String)) : undefined
  const texts = values.map((value) => JSON.stringify(value)).join(', ')
  return `must be ${values.length > 1 ? 'one of ' : ''}${texts}${didYouMean(near)}`
}

function bound(origin: string, side: string, limit: number | bigint): string {
  if (origin === 'string') return `must have ${side} ${limit} letter${limit === 1 ? '' : 's'}`
  if (origin === 'array') return `must have ${side} ${limit} item${limit === 1 ? '' : 's'}`
  return `must be ${side} ${limit}`
}
