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
  const input = valueAt(root, path)
  const drawn = asExpression(input as Json)
  if (drawn && issue.code !== 'custom')
    return [
      {
        path,
        reason: `"${drawn.word}" is drawn while the spec runs; here a value is wanted that is known when the plan is made`,
      },
    ]
  return [{ path, reason: reworded(issue) }]
}

function unionFindings(issue: z.core.$ZodIssueInvalidUnion, path: Path, root: Json): readonly Finding[] {
  const input = valueAt(root, path)
  if (issue.errors.length === 0) {
    const kinds = JSON.parse(issue.message) as string[]
    return typeof input === 'string'
      ? [{ path, reason: `unknown kind "${input}"${suggestion(input, kinds)}` }]
      : [{ path, reason: `"kind" is missing; known: ${kinds.join(', ')}` }]
  }
  // The member that came nearest is the one that was meant: the one with the deepest problem.
  const depth = (found: readonly ZodIssue[]): number =>
    Math.max(...found.map((each) => each.path.length + (each.code === 'unrecognized_keys' ? 1 : 0)))
  const best = [...issue.errors].sort((a, b) => depth(b) - depth(a) || a.length - b.length)[0] ?? []
  const flat = best.every((each) => each.path.length === 0 && each.code === 'invalid_type')
  if (flat)
    return [
      {
        path,
        reason: `fits none of the forms that may stand here: ${[...new Set(issue.errors.flat().map(reworded))].join('; or ')}`,
      },
    ]
  return best.flatMap((each) => toFindings({ ...each, path: [...path, ...each.path] } as ZodIssue, root))
}

/** zod's own words, without "Invalid input:". */
function reworded(issue: ZodIssue): string {
  const text = issue.message.replace(/^(Invalid input: |Invalid option: |Invalid string: )/, '')
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function valueAt(root: Json, path: Path): unknown {
  return path.reduce<unknown>(
    (node, step) =>
      typeof node === 'object' && node !== null ? (node as Record<string | number, unknown>)[step] : undefined,
    root,
  )
}
