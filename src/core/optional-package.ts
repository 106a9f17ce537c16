import { Problem } from './errors.ts'

/** Peers that only agents need, so that not every user installs them. */
const packages = ['bullmq', 'ioredis']

/**
 * Imports what needs the packages of agents.
 * @throws {Problem} "usage", with the command that installs them, where one is missing.
 */
export async function importOptional<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const missing = packages.find((name) => isMissing(error, name))
    if (missing === undefined) throw error
    throw new Problem('usage', `Agents need the package ${missing}, which is not installed`, {
      hint: `Install it: npm i ${packages.join(' ')}`,
      cause: error,
    })
  }
}

const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.includes(`'${name}'`)
