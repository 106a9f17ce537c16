import { functions } from '../functions/index.ts'
import { generators } from '../generators/index.ts'
import { isObject, type Json, type Path } from '../json.ts'
import { forms } from './expression.ts'
import { type Issues, suggestion } from './issues.ts'

/** Every word of ours that a spec may use. */
export const knownWords: readonly string[] = [...forms, ...functions, ...generators].map(({ word }) => word)

/** They run code on the server, or write outside of the benchmark's database. */
const refusedWords = new Set(['$where', '$function', '$accumulator', '$out', '$merge'])

export type Scan = {
  /** Names that `@param` asks for, with the places where it does. */
  readonly used: ReadonlyMap<string, readonly Path[]>
}

/** Reads the text of a spec before anything is evaluated: words that nothing knows, and which parameters are used. */
export function scan(spec: Json, issues: Issues): Scan {
  const used = new Map<string, Path[]>()
  const use = (name: string, path: Path): void => void used.set(name, [...(used.get(name) ?? []), path])

  function visit(node: Json, path: Path): void {
    if (Array.isArray(node)) return (node as readonly Json[]).forEach((item, i) => visit(item, [...path, i]))
    if (!isObject(node)) return
    const keys = Object.keys(node)
    const word = keys.find((key) => key.startsWith('@'))
    if (word !== undefined && !checkWord(word, keys, path)) return
    if (word === '@literal') return
    if (word === '@param' && typeof node[word] === 'string') use(node[word].split('.')[0] ?? '', [...path, word])
    for (const [key, item] of Object.entries(node)) {
      if (refusedWords.has(key))
        issues.add({
          path: [...path, key],
          atKey: true,
          reason: `"${key}" is refused: it can run code on the server or write outside of the benchmark's database`,
        })
      // A column or an axis that shows a parameter uses it too.
      if (path[0] === 'report' && key === 'parameter' && typeof item === 'string') use(item, [...path, key])
      visit(item, [...path, key])
    }
  }

  function checkWord(word: string, keys: readonly string[], path: Path): boolean {
    if (keys.length > 1) {
      issues.add({
        path: [...path, word],
        atKey: true,
        unknownWord: true,
        reason: `"${word}" must be the only key of its object`,
      })
      return false
    }
    if (knownWords.includes(word)) return true
    issues.add({
      path: [...path, word],
      atKey: true,
      unknownWord: true,
      reason: `unknown word "${word}"${suggestion(word, knownWords)}`,
    })
    return false
  }

  visit(spec, [])
  return { used }
}

/** Parameters that are missing, and parameters that nothing uses: decided on the text, so that no row can hide them. */
export function checkNames(
  scanned: Scan,
  declared: ReadonlyMap<string, Path>,
  varied: readonly string[],
  issues: Issues,
): void {
  const known = [...declared.keys(), ...varied]
  for (const [name, places] of scanned.used) {
    if (known.includes(name) || name === 'label') continue
    for (const path of places)
      issues.add({ path, unknownWord: true, reason: `there is no parameter "${name}"${suggestion(name, known)}` })
  }
  for (const [name, path] of declared) {
    if (!scanned.used.has(name)) issues.add({ path, atKey: true, reason: `nothing uses the parameter "${name}"` })
  }
}
