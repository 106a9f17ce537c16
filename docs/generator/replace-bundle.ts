import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Replaces a bundle file by file, so that no file is absent at any moment. The new chunks come first, then the files that import them and have the
 * same names as before; a program that starts meanwhile finds all that it imports. Those of the old bundle alone go last.
 * @param from Folder of the new bundle, which is removed.
 * @param to Folder of the old one. It may be absent.
 * @param onStep Called after each change. Default: nothing.
 */
export function replaceBundle(from: string, to: string, onStep = (): void => {}): void {
  const [made, old] = [listFiles(from), listFiles(to)]
  const isAdded = (name: string): boolean => !old.includes(name)
  for (const name of [...made.filter(isAdded), ...made.filter((one) => !isAdded(one))]) {
    mkdirSync(dirname(join(to, name)), { recursive: true })
    renameSync(join(from, name), join(to, name))
    onStep()
  }
  for (const name of old.filter((one) => !made.includes(one))) {
    rmSync(join(to, name))
    onStep()
  }
  rmSync(from, { recursive: true })
}

const listFiles = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => statSync(join(folder, name)).isFile())
    : []

if (process.argv[1] === import.meta.filename) {
  chmodSync('dist-new/cli/main.js', 0o755)
  replaceBundle('dist-new', 'dist')
}
