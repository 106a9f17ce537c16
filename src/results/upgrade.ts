import { Problem } from '../core/errors.ts'
import { type JsonObject } from '../core/json.ts'
import { toVersion2 } from './to-version-2.ts'

type Json = Readonly<Record<string, unknown>>

/** Upgrades a result by one version. It need not set the version itself. */
export type UpgradeStep = (older: Json) => Json

/** One step per older version: the first upgrades version 1 to version 2. */
export const upgradeSteps: readonly UpgradeStep[] = [(older) => toVersion2(older as JsonObject)]

/** The oldest version of the format. */
export const firstVersion = 1

/**
 * Upgrades an older result to the newest version. The schema rejects an invalid version.
 * @param path Of the file, for the message.
 */
export function upgradeResult(path: string, file: Json, steps: readonly UpgradeStep[] = upgradeSteps): Json {
  const version = file['version']
  if (typeof version !== 'number' || !Number.isInteger(version) || version < firstVersion) return file
  const newest = firstVersion + steps.length
  if (version > newest) {
    throw new Problem(
      'result-unreadable',
      `${path} has version ${version} of the format, and this tool reads up to ${newest}`,
      {
        hint: 'It was written by a newer mongo-perf. Read it with that one: npx mongo-perf@latest',
      },
    )
  }
  return steps
    .slice(version - firstVersion)
    .reduce<Json>((older, step, index) => ({ ...step(older), version: version + index + 1 }), file)
}
