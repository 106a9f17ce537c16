import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const packageVersion = (text: string): string => (JSON.parse(text) as { version: string }).version

/** The version of mongo-perf, from its package, whether built or not. */
export const toolVersion = (): string =>
  packageVersion(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The version of the driver of mongo-perf. */
export const driverVersion = (): string =>
  packageVersion(readFileSync(createRequire(import.meta.url).resolve('mongodb/package.json'), 'utf8'))
