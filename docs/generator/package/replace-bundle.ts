import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Replaces the code or the types of a bundle file by file, so that no file is absent at any moment. The new chunks come first, then the files that
 * import them and have the same names as before; a program that starts meanwhile finds all that it imports. Old chunks go last.
 * @param from Folder of the new files, which is removed.
 * @param to Folder of the bundle. It may be absent.
 * @param isReplaced Whether a file of the bundle is of the kind that is replaced; others stay. Default: all are.
 * @param onStep Called after each change. Default: nothing.
 */
export function replaceBundle(
  from: string,
  to: string,
  { isReplaced = () => true, onStep = () => {} }: { isReplaced?: (name: string) => boolean; onStep?: () => void } = {},
): void {
  const [made, old] = [listFiles(from), listFiles(to).filter(isReplaced)]
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
