import { readdirSync, statSync } from 'node:fs'

/** Files that change what is built, besides the sources. */
const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json', 'tsconfig.types.json']

const changedMs = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** When a source last changed. A removed one changed its folder. */
function sourcesChangedMs(): number {
  const folders = ['src', 'docs/generator/package']
  const entries = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((entry) => `${folder}/${entry}`),
  )
  return Math.max(...[...folders, ...entries, ...settings].map(changedMs))
}

/** Whether a file that was built from the sources is newer than all of them. */
export const isFresh = (built: string): boolean => changedMs(built) > sourcesChangedMs()
