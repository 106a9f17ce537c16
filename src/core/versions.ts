import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { packageRoot, requireFromPackage, shippedPath } from './package-root.ts'

const packageVersion = (text: string): string => (JSON.parse(text) as { version: string }).version

/** The version of mongo-perf, from its package, whether built or not. */
export const toolVersion = (): string => packageVersion(readFileSync(path.join(packageRoot, 'package.json'), 'utf8'))

/** The version of the driver of mongo-perf. */
export const driverVersion = (): string =>
  packageVersion(readFileSync(requireFromPackage.resolve('mongodb/package.json'), 'utf8'))

/** A digest of the language of specs: equal ones read a spec in the same way. */
export const languageDigest = (): string =>
  createHash('sha256')
    .update(readFileSync(shippedPath('spec.schema.json')))
    .digest('hex')
    .slice(0, 12)
