import { isObject, type Json, type Path } from '../../core/json.ts'
import { type Issues } from '../../language/issues.ts'
import { dangers, type GuardedKey, isGuarded } from '../../language/values/keys.ts'
import { type Overrides } from '../parse/overrides.ts'

type GuardedPaths = ReadonlyMap<GuardedKey, readonly Path[]>

/** Refuses guarded operators and stages unless both the spec ("allow") and the command line allow them. */
export function validateOptIns(root: Json, guarded: GuardedPaths, { allow = [] }: Overrides, issues: Issues): void {
  const listed = listedIn(root)
  for (const [key, places] of guarded) {
    if (listed.has(key)) continue
    for (const path of places)
      issues.add({ code: 'allow', path, atKey: true, refused: true, reason: notListed(key, allow) })
  }
  for (const [key, path] of listed) {
    if (!guarded.has(key)) issues.add({ code: 'allow', path, reason: `nothing uses "${key}"` })
    else if (!allow.includes(key))
      issues.add({
        code: 'allow',
        path,
        refused: true,
        reason: `"${key}" is refused: it ${dangers[key]}, and the command line does not allow it; if that is what you want, add ${formatAllowFlag(key)}`,
      })
  }
}

/** The guarded keys in "allow". The schema reports everything else there. */
function listedIn(root: Json): ReadonlyMap<GuardedKey, Path> {
  const list = isObject(root) && Array.isArray(root['allow']) ? (root['allow'] as readonly Json[]) : []
  return new Map(
    list.flatMap((key, i) => (typeof key === 'string' && isGuarded(key) ? [[key, ['allow', i]] as const] : [])),
  )
}

function notListed(key: GuardedKey, allowed: readonly string[]): string {
  const onCommandLine = allowed.includes(key) ? '' : ` and ${formatAllowFlag(key)} to the command line`
  return `"${key}" is refused: it ${dangers[key]}; if that is what you want, add "allow": ["${key}"] to the spec${onCommandLine}`
}

/** Quoted for a shell. */
const formatAllowFlag = (key: GuardedKey): string => `--allow '${key}'`
