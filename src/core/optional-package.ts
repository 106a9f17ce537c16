import { Problem } from './errors.ts'

/** Features that only some users need, with the optional peers that they work by. */
const optional = {
  agents: { needs: 'Agents need', packages: ['bullmq', 'ioredis'] },
  metrics: { needs: '--metrics, --metrics-file and --otlp need', packages: ['prom-client'] },
} as const

/**
 * Imports what needs packages that not every user installs.
 * @throws {Problem} "usage", with the command that installs them, where one is missing.
 */
export async function importOptional<Module>(use: keyof typeof optional, load: () => Promise<Module>): Promise<Module> {
  try {
    return await load()
  } catch (error) {
    const { needs, packages } = optional[use]
    const missing = packages.find((name) => isMissing(error, name))
    if (missing === undefined) throw error
    throw new Problem('usage', `${needs} the package ${missing}, which is not installed`, {
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
