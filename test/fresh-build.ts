import { execFile } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { promisify } from 'node:util'

/** What is built from, beside the sources. */
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'rolldown.config.ts']

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** When a source last changed. A removed one changed its folder. */
function sourcesChangedMs(): number {
  const entries = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((entry) => `src/${entry}`)
  return Math.max(...['src', ...entries, ...settings].map(changedMs))
}

/** Runs an npm script unless the file that it writes last is newer than all sources. */
async function buildUnlessNewer(script: string, file: string): Promise<void> {
  if (changedMs(file) > sourcesChangedMs()) return
  await promisify(execFile)('npm', ['run', script], { shell: process.platform === 'win32' })
}

/** Brings `build/` and `dist/` up to date. */
export const freshBuild = (): Promise<void> => buildUnlessNewer('build', 'dist/entries/index.d.ts')

/** Brings `build/` up to date, from which tests import. It loads one file of `dist/`, which no source changes. */
export const freshModules = (): Promise<void> =>
  existsSync('dist/hdr-histogram.cjs') ? buildUnlessNewer('compile', 'build/.tsbuildinfo') : freshBuild()
