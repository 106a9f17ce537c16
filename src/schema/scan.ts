import { functions } from '../functions/index.ts'
import { generators } from '../generators/index.ts'
import { isObject, type Json, type Path } from '../json.ts'
import { isReportWord, reportWords } from '../language/report-words.ts'
import { type GuardedKey, isGuarded, isInternal } from '../values/keys.ts'
import { forms } from '../language/expression.ts'
import { type Issues, suggestion } from '../language/issues.ts'

/** Every word of ours that a spec may use. */
const knownWords: readonly string[] = [...forms, ...functions, ...generators].map(({ word }) => word)

export type Scan = {
  /** Names that `@param` asks for, with the places where it does. */
  readonly used: ReadonlyMap<string, readonly Path[]>
  /** Words that need an opt-in, with the places where they stand. */
  readonly guarded: ReadonlyMap<GuardedKey, readonly Path[]>
}

/**
 * Reads the text of a spec before anything is evaluated: words that nothing knows, and which parameters are used.
 * @param settings Parameters that the command line sets.
 */
export function scan(spec: Json, settings: Readonly<Record<string, Json>>, issues: Issues): Scan {
  const used = new Map<string, Path[]>()
  const guarded = new Map<GuardedKey, Path[]>()
  const use = (dotted: string, path: Path): void => note(used, dotted.split('.')[0] ?? '', path)
  const noteGuarded = (node: object, path: Path): void => {
    for (const key of Object.keys(node)) {
      const at = [...path, key]
      if (isGuarded(key)) note(guarded, key, at)
      if (!isInternal(key)) continue
      const reason = `"${key}" is refused: servers keep it for what they send to each other`
      issues.add({ path: at, atKey: true, refused: true, reason })
    }
  }

  function visit(node: Json, path: Path): void {
    if (Array.isArray(node)) return (node as readonly Json[]).forEach((item, i) => visit(item, [...path, i]))
    if (!isObject(node)) return
    const word = Object.keys(node).find((key) => key.startsWith('@'))
    if (word !== undefined) checkWord(word, node, path, issues)
    if (word === '@literal') return visitLiteral(node, path)
    if (word === '@param' && typeof node[word] === 'string') use(node[word], [...path, word])
    noteGuarded(node, path)
    for (const [key, item] of Object.entries(node)) {
      // A column or an axis that shows a parameter uses it too.
      if (path[0] === 'report' && key === 'parameter' && typeof item === 'string') use(item, [...path, key])
      // A column or an expression that reads another row names what it is told by.
      if (path[0] === 'report' && key === 'at' && isObject(item))
        for (const name of Object.keys(item)) use(name, [...path, key, name])
      visit(item, [...path, key])
    }
  }

  /** What is sent untouched is not read, but it is guarded as anything else is. */
  function visitLiteral(node: Json, path: Path): void {
    if (typeof node !== 'object' || node === null) return
    noteGuarded(node, path)
    for (const [key, item] of Object.entries(node))
      visitLiteral(item, [...path, Array.isArray(node) ? Number(key) : key])
  }

  visit(spec, [])
  for (const [name, value] of Object.entries(settings)) visit(value, ['parameters', name])
  return { used, guarded }
}

function note<Name>(places: Map<Name, Path[]>, name: Name, path: Path): void {
  const known = places.get(name)
  if (known) known.push(path)
  else places.set(name, [path])
}

function checkWord(word: string, node: object, path: Path, issues: Issues): void {
  if (issues.isFull) return
  const at = { path: [...path, word], atKey: true, unknownWord: true }
  if (Object.keys(node).length > 1) issues.add({ ...at, reason: `"${word}" must be the only key of its object` })
  else if (isReportWord(word) && path[0] !== 'report')
    issues.add({ ...at, reason: `"${word}" stands only in "report": it reads what was measured` })
  else if (!isReportWord(word) && !knownWords.includes(word)) {
    const words = path[0] === 'report' ? [...knownWords, ...reportWords.map((entry) => entry.word)] : knownWords
    issues.add({ ...at, reason: `unknown word "${word}"${suggestion(word, words)}` })
  }
}

/** Parameters that are missing, and parameters that nothing uses: decided on the text, so that no row can hide them. */
export function checkNames(scanned: Scan, declared: ReadonlyMap<string, Path>, issues: Issues): void {
  for (const [name, places] of scanned.used) {
    if (declared.has(name)) continue
    const reason = `there is no parameter "${name}"${suggestion(name, declared.keys())}`
    // Reports read the label of a row under this name.
    const missing = places.filter((path) => !(name === 'label' && path[0] === 'report'))
    for (const path of missing) issues.add({ path, unknownWord: true, reason })
  }
  for (const [name, path] of declared)
    if (!scanned.used.has(name)) issues.add({ path, atKey: true, reason: `nothing uses the parameter "${name}"` })
}
