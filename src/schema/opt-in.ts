import { isObject, type Json, type Path } from '../json.ts'
import { type Issues } from '../language/issues.ts'
import { dangers, type GuardedKey, isGuarded } from '../values/keys.ts'
import { type Overrides } from './overrides.ts'

type Places = ReadonlyMap<GuardedKey, readonly Path[]>

/** Guarded words stand in a spec only where it says so itself and whoever runs it agrees: decided on the text. */
export function checkOptIns(root: Json, guarded: Places, { allow = [] }: Overrides, issues: Issues): void {
  const listed = listedIn(root)
  for (const [word, places] of guarded) {
    if (listed.has(word)) continue
    for (const path of places) issues.add({ path, atKey: true, refused: true, reason: notListed(word, allow) })
  }
  for (const [word, path] of listed) {
    if (!guarded.has(word)) issues.add({ path, reason: `nothing uses "${word}"` })
    else if (!allow.includes(word))
      issues.add({
        path,
        refused: true,
        reason: `"${word}" is refused: it ${dangers[word]}, and the command line does not allow it; if that is what you want, add ${flagOf(word)}`,
      })
  }
}

/** The words of "allow". What else stands there is told by the schema. */
function listedIn(root: Json): ReadonlyMap<GuardedKey, Path> {
  const list = isObject(root) && Array.isArray(root['allow']) ? (root['allow'] as readonly Json[]) : []
  return new Map(
    list.flatMap((word, i) => (typeof word === 'string' && isGuarded(word) ? [[word, ['allow', i]] as const] : [])),
  )
}

function notListed(word: GuardedKey, allowed: readonly string[]): string {
  const onCommandLine = allowed.includes(word) ? '' : ` and ${flagOf(word)} to the command line`
  return `"${word}" is refused: it ${dangers[word]}; if that is what you want, add "allow": ["${word}"] to the spec${onCommandLine}`
}

/** In quotes, for a shell. */
const flagOf = (word: GuardedKey): string => `--allow '${word}'`
