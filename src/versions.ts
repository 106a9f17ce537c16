import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const packageVersion = (text: string): string => (JSON.parse(text) as { version: string }).version

/** The version of mongo-perf, from its package, whether built or not. */
export const toolVersion = (): string =>
  packageVersion(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** The version of the driver of mongo-perf. */
export const driverVersion = (): string =>
  packageVersion(readFileSync(createRequire(import.meta.url).resolve('mongodb/package.json'), 'utf8'))

/** A digest of the language of specs: equal ones read a spec in the same way. */
export const languageDigest = (): string =>
  createHash('sha256')
    .update(readFileSync(new URL('../fixtures/spec.schema.json', import.meta.url)))
    .digest('hex')
    .slice(0, 12)
