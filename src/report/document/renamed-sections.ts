import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { type Result } from '../../results/schema.ts'
import { resolveDocumentPath } from './document-file.ts'
import { madeBlocks } from './sources.ts'

/** Lists the sections of a document that show the work of a result under another name, as `file:line: what`: its spec may have been renamed. */
export async function listRenamed(
  text: string,
  file: string,
  { spec }: Pick<Result, 'spec'>,
): Promise<readonly string[]> {
  const sections = new Map(madeBlocks(text, file).map((block) => [block.name.replace(/\/.*/, ''), block]))
  const folder = dirname(await resolveDocumentPath(file))
  const remarks: string[] = []
  for (const [name, { line, source }] of sections)
    if (name !== spec.name && (await readHash(resolve(folder, source.path))) === spec.hash)
      remarks.push(
        `${file}:${line}: the section "${name}" shows the same work as "${spec.name}": delete its blocks if the spec was renamed`,
      )
  return remarks
}

/** The hash of the work of a result. Undefined: the file cannot be read. */
async function readHash(path: string): Promise<unknown> {
  try {
    return (JSON.parse(await readFile(path, 'utf8')) as Partial<Result>).spec?.hash
  } catch {
    return undefined
  }
}
