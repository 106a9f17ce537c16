import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A folder that stands for the root of a file system. */
export type Tree = Disposable & { readonly root: string }

/** @param files Texts by their paths; a path alone, ending in "/", is a folder; "-> target" is a symbolic link. */
export function aTree(files: Readonly<Record<string, string>>): Tree {
  const root = mkdtempSync(path.join(tmpdir(), 'mongo-perf-tree-'))
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name)
    mkdirSync(name.endsWith('/') ? file : path.dirname(file), { recursive: true })
    if (text.startsWith('-> ')) symlinkSync(text.slice(3), file)
    else if (!name.endsWith('/')) writeFileSync(file, text)
  }
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) }
}
