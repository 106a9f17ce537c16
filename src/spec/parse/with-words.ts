import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { isObject, type Json, mapParts, type Path } from '../../core/json.ts'
import { asExpression } from '../../language/expression.ts'
import { type Report } from '../../language/issues.ts'

/** The words become a part of the spec, which is sent to agents and kept in results. */
const maxBytes = 256 * 1024

/** A spec in which `@oneOf` has the words of its files instead of their names, so that whoever runs it needs no file. */
export function withWords(node: Json, folder: string | undefined, report: Report, path: Path = []): Json {
  const { keyword, argument } = asExpression(node) ?? {}
  if (folder === undefined || keyword === '@literal') return node
  if (keyword !== '@oneOf' || !isObject(argument) || typeof argument['file'] !== 'string')
    return mapParts(node, (part, step) => withWords(part, folder, report, [...path, step]))
  const { file, ...others } = argument
  const words = readWords(resolve(folder, file as string))
  if (typeof words !== 'string') return { '@oneOf': { ...others, values: words } }
  report([...path, keyword, 'file'], `"${file as string}" ${words}`)
  return { '@oneOf': { ...others, values: [''] } }
}

/** The lines of a file that hold something, or the reason why there are none. */
function readWords(path: string): readonly string[] | string {
  try {
    const file = statSync(path)
    // A pipe or a device may never end; of a folder, reading says what it is.
    if (!file.isFile() && !file.isDirectory()) return 'is not a file'
    if (file.size > maxBytes) return `has more than ${maxBytes / 1024} KB, and becomes a part of the spec`
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
    const words = text.split('\n').map((line) => line.trim())
    const found = words.filter((word) => word !== '')
    return found.length > 0 ? found : 'holds no words, one per line'
  } catch (error) {
    if (error instanceof TypeError) return 'is not UTF-8'
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`
  }
}
