import { z } from 'zod'
import { type Json, partAt, type Path } from '../core/json.ts'
import { asExpression, isReportKeyword } from './expression.ts'
import { type Finding, maxIssues, suggestion } from './issues.ts'
import { beyond, describeMismatch, wrongForm, wrongType } from './json-schema/value-wording.ts'

type ZodIssue = z.core.$ZodIssue

/** Validates a folded node against a schema: all findings, each with its path in the folded tree. */
export function collectFindings(
  schema: z.ZodType,
  node: Json,
): { readonly data?: unknown; readonly findings: readonly Finding[] } {
  const parsed = schema.safeParse(node, { error: describeIssue })
  if (parsed.success) return { data: parsed.data, findings: [] }
  const { issues } = parsed.error
  const wrong = placesAround(issues.filter(({ code }) => code !== 'custom'))
  // A refinement of a whole object only repeats an issue inside of it: "takes seconds" of a misspelt "secnds".
  const isEcho = ({ code, path }: ZodIssue): boolean => code === 'custom' && wrong.has(JSON.stringify(path))
  return { findings: issues.filter((issue) => !isEcho(issue)).flatMap((issue) => toFindings(issue, node)) }
}

/** The paths of these issues and of all objects and lists around them. */
const placesAround = (issues: readonly ZodIssue[]): ReadonlySet<string> =>
  new Set(
    issues.flatMap(({ path }) =>
      Array.from({ length: path.length + 1 }, (_, depth) => JSON.stringify(path.slice(0, depth))),
    ),
  )

function toFindings(issue: ZodIssue, root: Json): readonly Finding[] {
  const path = issue.path as Path
  if (issue.code === 'unrecognized_keys') {
    const known = JSON.parse(issue.message) as string[]
    return issue.keys.slice(0, maxIssues).map((key) => ({
      path: [...path, key],
      atKey: true,
      reason: `unknown key "${key}"${suggestion(key, known)}`,
    }))
  }
  if (issue.code === 'invalid_union') return unionFindings(issue, path, root)
  return [{ path, reason: expressionReason(issue.code === 'custom' ? null : partAt(root, path), issue.message) }]
}

/** The reason why an expression is left after folding. */
function expressionReason(node: unknown, otherwise: string): string {
  const keyword = asExpression(node as Json)?.keyword
  if (keyword === undefined) return otherwise.charAt(0).toLowerCase() + otherwise.slice(1)
  if (keyword === '@literal') return '"@literal" works only in values for the server; write the value itself'
  if (isReportKeyword(keyword))
    return `"${keyword}" reads what was measured; it works only in "value", "where" and "let" of the report`
  return `"${keyword}" is drawn while the spec runs; this value must be known when the plan is made`
}

function unionFindings(issue: z.core.$ZodIssueInvalidUnion, path: Path, root: Json): readonly Finding[] {
  if (issue.errors.length === 0) return [{ path, reason: kindReason(partAt(root, path), issue.message) }]
  const meant = issue.errors.filter((errors) => !errors.some(isOtherType))
  if (meant.length === 0)
    return [{ path, reason: expressionReason(partAt(root, path), joinAlternatives(issue.errors.flat())) }]
  const best = meant.toSorted((a, b) => measureDepth(b) - measureDepth(a) || a.length - b.length)[0] ?? []
  return best.flatMap((each) => toFindings({ ...each, path: [...path, ...each.path] } as ZodIssue, root))
}

/** @param message The known kinds as JSON (see `reasonOf`), or a message of the union. */
function kindReason(input: unknown, message: string): string {
  if (!message.startsWith('[')) return message
  const kinds = JSON.parse(message) as readonly string[]
  if (typeof input === 'string') return `unknown kind "${input}"${suggestion(input, kinds)}`
  return `${input === undefined ? '"kind" is missing' : 'is not a kind'}; known: ${kinds.join(', ')}`
}

/** Whether an issue rules out a member of a union. */
const isOtherType = ({ path, code }: ZodIssue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')

/** How deep a member of a union matched: the deepest match is the one that was meant. */
const measureDepth = (found: readonly ZodIssue[]): number =>
  Math.max(...found.map((each) => each.path.length + (each.code === 'unrecognized_keys' ? 1 : 0)))

/** Joins the messages of the members of a union: "must be a text or a list, not a number". */
function joinAlternatives(issues: readonly ZodIssue[]): string {
  const parts = issues.map(({ message }) => /^must be (.*?)(, not .*|; did you .*)?$/.exec(message))
  if (parts.every((part) => part === null)) return issues[0]?.message ?? 'is not valid'
  // A text that is none of the words of one alternative is refused by the others for being a text.
  const hasWords = parts.some((part) => part?.[1]?.startsWith('one of "'))
  const end = parts.flatMap((part) => part?.[2] ?? []).find((each) => !(hasWords && each === ', not a text')) ?? ''
  return `must be ${[...new Set(parts.flatMap((part) => part?.[1] ?? []))].join(' or ')}${end}`
}

/** The message for an issue of zod. Undefined where the schema has its own message. */
function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    // Only here does zod pass the schema, which knows the valid keys and kinds: they go into the message as JSON.
    case 'unrecognized_keys':
      return issue.inst instanceof z.ZodObject ? JSON.stringify(Object.keys(issue.inst.shape)) : undefined
    case 'invalid_union':
      return issue.inst instanceof z.ZodDiscriminatedUnion ? JSON.stringify(listKinds(issue.inst)) : undefined
    case 'invalid_type':
      return wrongType([issue.expected], issue.input)
    case 'invalid_value':
      return describeMismatch(issue.values, issue.input)
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

const listKinds = (union: z.ZodDiscriminatedUnion): readonly string[] =>
  union.options.flatMap((option) => {
    const kind = option instanceof z.ZodObject ? option.shape[union.def.discriminator] : undefined
    return kind instanceof z.ZodLiteral ? [...kind.values].map(String) : []
  })
