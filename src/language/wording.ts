import { z } from 'zod'
import { beyond, notOneOf, wrongForm, wrongType } from './value-wording.ts'

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
      return wrongType([issue.expected], issue.input)
    case 'invalid_value':
      return notOneOf(issue.values, issue.input)
    case 'too_small':
      return beyond(issue.origin, issue.inclusive === false ? 'above' : 'at least', issue.minimum)
    case 'too_big':
      return beyond(issue.origin, issue.inclusive === false ? 'below' : 'at most', issue.maximum)
    case 'invalid_format':
      return wrongForm(issue.format, issue.pattern)
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
