import { execFile } from 'node:child_process'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publishedManifest } from '../../docs/generator/package/manifest.ts'

const execute = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Packs the built tool into a folder, as it would be published.
 * @returns the path of the packed file.
 */
export async function packTool(folder: string): Promise<string> {
  const staged = path.join(folder, 'staged')
  await stage(staged)
  await execute('npm', ['pack', '--pack-destination', folder], { cwd: staged })
  await rm(staged, { recursive: true })
  const packed = (await readdir(folder)).find((name) => name.endsWith('.tgz'))
  if (packed === undefined) throw new Error(`npm packed nothing into ${folder}`)
  return path.join(folder, packed)
}

/** Copies what is packed to a folder, where packing does not build the program again: other tests run it meanwhile. */
async function stage(folder: string): Promise<void> {
  const listed = await execute('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    maxBuffer: 1e7,
  })
  const [{ files }] = JSON.parse(listed.stdout) as [{ readonly files: readonly { readonly path: string }[] }]
  for (const { path: name } of files) await cp(path.join(root, name), path.join(folder, name))
  await writeFile(
    path.join(folder, 'package.json'),
    publishedManifest(await readFile(path.join(root, 'package.json'), 'utf8')),
  )
}
