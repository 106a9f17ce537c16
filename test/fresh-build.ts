import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { isFresh } from '../docs/generator/package/fresh.ts'

/** Runs an npm script unless the file that it writes last is newer than all sources. */
async function buildUnlessFresh(script: string, file: string): Promise<void> {
  if (isFresh(file)) return
  await promisify(execFile)('npm', ['run', script], { shell: process.platform === 'win32' })
}

const freshBundle = (): Promise<void> => buildUnlessFresh('bundle', 'dist/cli/main.js')

/** Brings `build/` up to date, from which tests import. It loads one file of `dist/`, which no source changes. */
export async function freshModules(): Promise<void> {
  if (!existsSync('dist/hdr-histogram.cjs')) await freshBundle()
  await buildUnlessFresh('compile', 'build/.tsbuildinfo')
}

/** Brings `build/` and the code in `dist/` up to date. */
export async function freshBuild(): Promise<void> {
  await freshBundle()
  await freshModules()
}

/** Brings the types in `dist/` up to date. */
export const freshTypes = (): Promise<void> => buildUnlessFresh('types', 'dist/entries/index.d.ts')
