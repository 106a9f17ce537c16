import { type z } from 'zod'
import { type Json, type Path } from '../json.ts'
import { isReportWord } from './report-words.ts'
import { asExpression } from './expression.ts'
import { mostProblems, suggestion } from './issues.ts'
import { reasonOf } from './wording.ts'

type Finding = { readonly path: Path; readonly reason: string; readonly atKey?: boolean }
type ZodIssue = z.core.$ZodIssue

/** Checks a folded spec against a schema: all findings, each with the place in the folded tree. */
export function findingsOf(
  schema: z.ZodType,
  node: Json,
): { readonly data?: unknown; readonly findings: readonly Finding[] } {
  const parsed = schema.safeParse(node, { error: reasonOf })
  if (parsed.success) return { data: parsed.data, findings: [] }
  const { issues } = parsed.error
  const wrong = placesAround(issues.filter(({ code }) => code !== 'custom'))
  // What a part as a whole should be says nothing while something in it is wrong: "takes seconds" of a misspelt "secnds".
  const isEcho = ({ code, path }: ZodIssue): boolean => code === 'custom' && wrong.has(JSON.stringify(path))
  return { findings: issues.filter((issue) => !isEcho(issue)).flatMap((issue) => toFindings(issue, node)) }
}

/** The places of these issues, and of all that they are parts of. */
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
    return issue.keys.slice(0, mostProblems).map((key) => ({
      path: [...path, key],
      atKey: true,
      reason: `unknown key "${key}"${suggestion(key, known)}`,
    }))
  }
  if (issue.code === 'invalid_union') return unionFindings(issue, path, root)
  return [{ path, reason: expressionReason(issue.code === 'custom' ? null : valueAt(root, path), issue.message) }]
}

/** Why an expression is still there when the spec has been folded. */
function expressionReason(node: unknown, otherwise: string): string {
  const word = asExpression(node as Json)?.word
  if (word === undefined) return otherwise.charAt(0).toLowerCase() + otherwise.slice(1)
  if (word === '@literal') return '"@literal" is for what goes to the server; write the value itself'
  if (isReportWord(word))
    return `"${word}" reads what was measured; it stands in "value", "where" and "let" of the report`
  return `"${word}" is drawn while the spec runs; here a value is wanted that is known when the plan is made`
}

function unionFindings(issue: z.core.$ZodIssueInvalidUnion, path: Path, root: Json): readonly Finding[] {
  if (issue.errors.length === 0) return [{ path, reason: kindReason(valueAt(root, path), issue.message) }]
  const meant = issue.errors.filter((errors) => !errors.some(isOtherType))
  if (meant.length === 0) return [{ path, reason: expressionReason(valueAt(root, path), anyOf(issue.errors.flat())) }]
  const best = meant.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)[0] ?? []
  return best.flatMap((each) => toFindings({ ...each, path: [...path, ...each.path] } as ZodIssue, root))
}

/** @param told The kinds that there are, as JSON, or what the union itself has to say. */
function kindReason(input: unknown, told: string): string {
  if (!told.startsWith('[')) return told
  const kinds = JSON.parse(told) as readonly string[]
  if (typeof input === 'string') return `unknown kind "${input}"${suggestion(input, kinds)}`
  return `${input === undefined ? '"kind" is missing' : 'is no kind'}; known: ${kinds.join(', ')}`
}

/** This member of a union was not meant. */
const isOtherType = ({ path, code }: ZodIssue): boolean =>
  path.length === 0 && (code === 'invalid_type' || code === 'invalid_value')

/** How far a member of a union got: the one that came furthest is the one that was meant. */
const depthOf = (found: readonly ZodIssue[]): number =>
  Math.max(...found.map((each) => each.path.length + (each.code === 'unrecognized_keys' ? 1 : 0)))

/** "must be a text or a list, not a number" of what the members of a union say. */
function anyOf(issues: readonly ZodIssue[]): string {
  const parts = issues.map(({ message }) => /^must be (.*?)(, not .*|; did you .*)?$/.exec(message))
  const ends = parts.flatMap((part) => part?.[2] ?? [])
  return `must be ${[...new Set(parts.flatMap((part) => part?.[1] ?? []))].join(' or ')}${ends[0] ?? ''}`
}

function valueAt(root: Json, path: Path): unknown {
  return path.reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null && Object.hasOwn(node, step)
        ? (node as Record<string | number, unknown>)[step]
        : undefined,
    root,
  )
}
