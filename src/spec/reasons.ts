import { z } from 'zod'
import { type Json, type Path } from '../json.ts'
import { asExpression } from './expression.ts'
import { suggestion } from './issues.ts'

type Finding = { readonly path: Path; readonly reason: string; readonly atKey?: boolean }
type ZodIssue = z.core.$ZodIssue
type RawIssue = z.core.$ZodRawIssue

/** Checks a folded spec against a schema: all findings, each with the place in the folded tree. */
export function findingsOf(
  schema: z.ZodType,
  node: Json,
): { readonly data?: unknown; readonly findings: readonly Finding[] } {
  const parsed = schema.safeParse(node, { error: reasonOf })
  if (parsed.success) return { data: parsed.data, findings: [] }
  return { findings: parsed.error.issues.flatMap((issue) => toFindings(issue, node)) }
}

/** The keys and kinds that would have been right are known only to the schema, which zod hands to this function alone. */
function reasonOf(issue: RawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys' && issue.inst instanceof z.ZodObject)
    return JSON.stringify(Object.keys(issue.inst.shape))
  if (issue.code === 'invalid_union' && issue.inst instanceof z.ZodDiscriminatedUnion)
    return JSON.stringify(kindsOf(issue.inst))
  if (issue.code === 'invalid_type' && issue.input === undefined) return 'is missing'
  return undefined
}

const kindsOf = (union: z.ZodDiscriminatedUnion): readonly string[] =>
  union.options.flatMap((option) => {
    const kind = option instanceof z.ZodObject ? option.shape[union.def.discriminator] : undefined
    return kind instanceof z.ZodLiteral ? [...kind.values].map(String) : []
  })

function toFindings(issue: ZodIssue, root: Json): readonly Finding[] {
  const path = issue.path as Path
  if (issue.code === 'unrecognized_keys') {
    const known = JSON.parse(issue.message) as string[]
    return issue.keys.map((key) => ({
      path: [...path, key],
      atKey: true,
      reason: `unknown key "${key}"${suggestion(key, known)}`,
    }))
  }
  if (issue.code === 'invalid_union') return unionFindings(issue, path, root)
  const expression = asExpression(valueAt(root, path) as Json)
  const reason = expression && issue.code !== 'custom' ? misplaced(expression.word) : reworded(issue)
  return [{ path, reason }]
}

/** Why an expression is still there when the spec has been folded. */
function misplaced(word: string): string {
  if (word === '@param') return 'is read as written: no expression may stand here'
  if (word === '@literal') return '"@literal" is for what goes to the server; write the value itself'
  return `"${word}" is drawn while the spec runs; here a value is wanted that is known when the plan is made`
}

function unionFindings(issue: z.core.$ZodIssueInvalidUnion, path: Path, root: Json): readonly Finding[] {
  if (issue.errors.length === 0) return [{ path, reason: kindReason(valueAt(root, path), JSON.parse(issue.message)) }]
  const best = issue.errors.toSorted((a, b) => depthOf(b) - depthOf(a) || a.length - b.length)[0] ?? []
  const fitsNone = best.every((each) => each.path.length === 0 && each.code === 'invalid_type')
  if (!fitsNone) return best.flatMap((each) => toFindings({ ...each, path: [...path, ...each.path] } as ZodIssue, root))
  const expression = asExpression(valueAt(root, path) as Json)
  const forms = [...new Set(issue.errors.flat().map(reworded))].join('; or ')
  return [
    { path, reason: expression ? misplaced(expression.word) : `fits none of the forms that may stand here: ${forms}` },
  ]
}

function kindReason(input: unknown, kinds: readonly string[]): string {
  if (typeof input === 'string') return `unknown kind "${input}"${suggestion(input, kinds)}`
  return `${input === undefined ? '"kind" is missing' : 'is no kind'}; known: ${kinds.join(', ')}`
}

/** How far a member of a union got: the one that came furthest is the one that was meant. */
const depthOf = (found: readonly ZodIssue[]): number =>
  Math.max(...found.map((each) => each.path.length + (each.code === 'unrecognized_keys' ? 1 : 0)))

/** zod's own words, without "Invalid input:". */
function reworded(issue: ZodIssue): string {
  const text = issue.message.replace(/^(Invalid input: |Invalid option: |Invalid string: )/, '')
  return text.charAt(0).toLowerCase() + text.slice(1)
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
