import { access, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { type DataName, type DataSource } from './data-source.ts'

/** The folders of the specification's archives; their content may also be in the folder itself. */
const archives = ['', 'extended_bson', 'single_and_multi_document', 'parallel']

/** The specification's own files. @throws {Problem} if a file is missing. */
export function givenData(folder: string): DataSource {
  return {
    text: async (name) => readFile(await find(folder, name), 'utf8'),
    bytes: async (name) => readFile(await find(folder, name)),
    async files(name) {
      const found = await find(folder, name)
      return (await readdir(found)).toSorted().map((file) => join(found, file))
    },
  }
}

/** Reports missing files before anything is started. */
export async function requireGivenData(folder: string, names: Iterable<DataName>): Promise<void> {
  for (const name of new Set(names)) await find(folder, name)
}

async function find(folder: string, name: DataName): Promise<string> {
  for (const archive of archives) {
    const path = join(folder, archive, name)
    if (await exists(path)) return path
  }
  throw new Problem('usage', `${folder} has no ${name}`, {
    hint: 'Unpack the archives of the driver benchmark specification into that folder, choose fewer tasks, or leave --data out to use generated data.',
  })
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
