import { rmSync, existsSync } from 'node:fs'
import { mkdir, readdir, rmdir, symlink, writeFile, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { describeErrorCode, Problem } from '../../../../core/errors.ts'
import { makeFolder } from '../../../../core/files.ts'
import { tempVariable } from '../../../machine.ts'
import { type ServerProgram } from '../programs/check-binary.ts'
import { shellLine } from '../shell-line.ts'

/** Marks every folder that we made, so that nothing else is ever removed, whatever a state file contains. */
const marker = '.made-by-mongo-perf'

export type ProcessFolders = {
  readonly log: string
  /** Output before its log is open: complaints about its options. */
  readonly output: string
  /** The folders that we made, each with our marker. */
  readonly owned: readonly string[]
  /** Removes them, and the user's folders around them where those were made by us and are empty again. */
  readonly remove: () => Promise<void>
  /** The same folders made by hand. */
  readonly commands: readonly string[]
}

export type ServerFolders = ProcessFolders & { readonly data: string }

type FolderRequest = { readonly dbPath?: string | undefined; readonly journalPath?: string | undefined }

/** Makes the folders of one server. Folders of the user have been checked by `refuseUsedFolder` before. */
export async function makeServerFolders(
  request: FolderRequest,
  name: string,
  tempFolder: string,
): Promise<ServerFolders> {
  const madeParents: string[] = []
  const makeOn = (disk: string, field: UserFolder): Promise<string> =>
    makeInside(disk, field, folderName(name), madeParents)
  const root =
    request.dbPath === undefined ? await makeTemporary(name, tempFolder) : await makeOn(request.dbPath, 'dbPath')
  const journalRoot = request.journalPath === undefined ? undefined : await makeOn(request.journalPath, 'journalPath')
  const owned = [root, ...(journalRoot === undefined ? [] : [journalRoot])]
  for (const folder of owned) await writeFile(path.join(folder, marker), '')

  const data = path.join(root, 'data')
  await mkdir(data)
  const commands = [shellLine(['mkdir', '-p', data])]
  if (journalRoot !== undefined) {
    const journal = path.join(journalRoot, 'journal')
    await mkdir(journal)
    await symlink(journal, path.join(data, 'journal'), 'dir')
    commands.push(shellLine(['mkdir', '-p', journal]), shellLine(['ln', '-s', journal, path.join(data, 'journal')]))
  }
  const remove = async (): Promise<void> => {
    for (const folder of owned) removeOwnFolder(folder)
    for (const folder of madeParents) await rmdir(folder).catch(() => undefined)
  }
  return { ...logFiles(root, 'mongod'), data, owned, remove, commands }
}

/** Makes the folder of a process that holds no data: it has a log. */
export async function makeLogFolder(name: string, program: ServerProgram, tempFolder: string): Promise<ProcessFolders> {
  const root = await makeTemporary(name, tempFolder)
  await writeFile(path.join(root, marker), '')
  return {
    ...logFiles(root, program),
    owned: [root],
    remove: async () => void removeOwnFolder(root),
    commands: [shellLine(['mkdir', '-p', root])],
  }
}

const logFiles = (root: string, program: ServerProgram): Pick<ProcessFolders, 'log' | 'output'> => ({
  log: path.join(root, `${program}.log`),
  output: path.join(root, `${program}.out`),
})

/** A member of a shard is called "shard0/member0". */
const folderName = (name: string): string => name.replaceAll('/', '-')

const makeTemporary = (name: string, tempFolder: string): Promise<string> =>
  makeTemporaryFolder(tempFolder, `mongo-perf-${folderName(name)}-`)

type UserFolder = 'dbPath' | 'journalPath'

async function makeInside(parent: string, field: UserFolder, name: string, madeParents: string[]): Promise<string> {
  const outer = path.resolve(parent)
  const folder = path.join(outer, name)
  try {
    if (makeFolder(outer) !== undefined) madeParents.push(outer)
    await mkdir(folder)
    return folder
  } catch (error) {
    throw unusable(field, parent, error)
  }
}

const unusable = (field: UserFolder, folder: string, error: unknown): Problem =>
  new Problem('refused', `The ${field} ${folder} cannot be used (${describeErrorCode(error)})`, {
    hint: 'Name a folder that is absent or empty, where you may write.',
  })

/** Removes a folder that carries our marker, and returns whether it did. */
export function removeOwnFolder(folder: string): boolean {
  if (!existsSync(path.join(folder, marker))) return false
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  return true
}

/** A folder of the user must be absent or empty: we never write between files that are not ours. */
export async function refuseUsedFolder(folder: string, field: UserFolder): Promise<void> {
  const content = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw unusable(field, folder, error)
  })
  if (content.length === 0) return
  throw new Problem('refused', `The ${field} ${folder} is not empty, and may hold data of others`, {
    hint: 'Name a folder that is absent or empty.',
  })
}

/** Makes a folder of its own, whose name begins with the prefix. */
export async function makeTemporaryFolder(tempFolder: string, prefix: string): Promise<string> {
  try {
    return await mkdtemp(path.join(tempFolder, prefix))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Problem('no-server', `No folder for temporary files can be made in ${tempFolder} (${code})`, {
      hint: `Set ${tempVariable()} to a folder that exists and can be written.`,
    })
  }
}
