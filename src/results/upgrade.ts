import { Problem } from '../errors.ts'

type Json = Readonly<Record<string, unknown>>

/** Brings a result one version further. It need not set the version itself. */
export type UpgradeStep = (older: Json) => Json

/** The first step reads version 1 and gives version 2, and so on: as many steps as there are older versions. */
export const upgradeSteps: readonly UpgradeStep[] = []

export const firstVersion = 1

/**
 * Brings an older result up to date; whatever is no version at all is left to the schema.
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
