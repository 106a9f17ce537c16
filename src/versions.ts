import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const packageVersion = (text: string): string => (JSON.parse(text) as { version: string }).version

/** Ours, from the package that this file lies in, whether built or not. */
export const toolVersion = (): string =>
  packageVersion(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

export const driverVersion = (): string =>
  packageVersion(readFileSync(createRequire(import.meta.url).resolve('mongodb/package.json'), 'utf8'))
