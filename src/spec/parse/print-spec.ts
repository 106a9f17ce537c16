import { isObject, type Json } from '../../core/json.ts'

const width = 110

/** Formats a spec with an indent of two spaces, and nodes that fit into a line on one line. */
export const printSpec = (spec: Json): string => `${block(spec, '', 0)}\n`

/** @param used Letters that the line has already: indentation and key. */
function block(node: Json, indent: string, used: number): string {
  const line = inLine(node)
  if (used + line.length < width || node === null || typeof node !== 'object' || (indent === '' && isEmpty(node)))
    return line
  const inner = `${indent}  `
  const items = Array.isArray(node)
    ? (node as readonly Json[]).map((item) => inner + block(item, inner, inner.length))
    : Object.entries(node).map(([key, item]) => {
        const lead = `${inner}${JSON.stringify(key)}: `
        return lead + block(item, inner, lead.length)
      })
  const [open, close] = Array.isArray(node) ? '[]' : '{}'
  return `${open}\n${items.join(',\n')}\n${indent}${close}`
}

const isEmpty = (node: object): boolean => Object.keys(node).length === 0

function inLine(node: Json): string {
  if (Array.isArray(node)) return `[${(node as readonly Json[]).map(inLine).join(', ')}]`
  if (!isObject(node)) return JSON.stringify(node)
  const entries = Object.entries(node).map(([key, item]) => `${JSON.stringify(key)}: ${inLine(item)}`)
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`
}
