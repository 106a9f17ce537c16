import { isObject, type Json } from '../../core/json.ts'

/** Longer values are broken into lines. */
const lineLength = 140

/** JSON that people can read and Git can merge: what fits a line is one line, and all else has a line for each of its parts. */
export function readableJson(value: Json, indent = ''): string {
  const line = JSON.stringify(value)
  if (indent.length + line.length <= lineLength) return line
  const inner = `${indent} `
  const block = (open: string, parts: readonly string[], close: string): string =>
    `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`
  if (Array.isArray(value))
    return block(
      '[',
      value.map((part: Json) => readableJson(part, inner)),
      ']',
    )
  if (!isObject(value)) return line
  const parts = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}: ${readableJson(part, inner)}`)
  return block('{', parts, '}')
}
