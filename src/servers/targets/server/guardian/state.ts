import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { makeFolder } from '../../../../core/files.ts'
import { liftLimits, removeGroups } from '../limits/groups.ts'
import { readPid } from '../process/admin-command.ts'
import { removeOwnFolder } from '../process/server-folders.ts'
import { requireProcesses } from './process-facts.ts'
import { readProcessIdentity, isAlive, killProcess, type ProcessIdentity } from './process-identity.ts'

const identity = z.object({ pid: z.int().positive(), startTime: z.string().nullable() })

const serverRecord = z.object({
  ...identity.shape,
  /** Program of the process. Absent: a mongod. */
  program: z.string().optional(),
  name: z.string(),
  port: z.int(),
  /** Folders to remove once it is stopped. */
  folders: z.array(z.string()),
  /** Control groups to remove once it is stopped. */
  groups: z.array(z.string()).default([]),
  /** The process of ours that started it. */
  owner: identity,
  /** The guardian that stops it. Absent: there is none. */
  guardian: z.string().optional(),
})

/** A server that we started, as it stands on disk until it is stopped. */
export type ServerRecord = z.output<typeof serverRecord>

const toFilePath = (folder: string, { pid, startTime }: ProcessIdentity): string =>
  path.join(folder, `${pid}-${(startTime ?? 'unknown').replaceAll(/\W+/g, '-')}.json`)

/** Writes a server down. Synchronous, so that between its start and its entry only the kernel can end us. */
export function recordServer(stateFolder: string, server: Omit<ServerRecord, 'startTime' | 'owner'>): ServerRecord {
  const record = { ...server, ...readProcessIdentity(server.pid), owner: readProcessIdentity(process.pid) }
  const file = toFilePath(stateFolder, record)
  makeFolder(stateFolder)
  writeFileSync(`${file}.new`, JSON.stringify(record, null, 2))
  renameSync(`${file}.new`, file)
  return record
}

export function forgetServer(stateFolder: string, record: ProcessIdentity): void {
  rmSync(toFilePath(stateFolder, record), { force: true })
}

/** The servers that are written down. Files that are not ours, or damaged, are left out. */
export function listServers(stateFolder: string): ServerRecord[] {
  return fileNames(stateFolder).flatMap((name) => {
    try {
      return [serverRecord.parse(JSON.parse(readFileSync(path.join(stateFolder, name), 'utf8')))]
    } catch {
      return []
    }
  })
}

function fileNames(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith('.json'))
  } catch {
    return []
  }
}

/** A server that an earlier run left behind, and the outcome of its cleanup. */
export type Leftover = {
  readonly server: ServerRecord
  /**
   * In use: the run that started it goes on. Survived: it could not be killed. Not recognized: a process has its number, and
   * nothing shows that it is the server. The last two stay written down.
   */
  readonly what: 'in use' | 'stopped' | 'was gone' | 'survived' | 'not recognized'
  readonly removedFolders: readonly string[]
  /** Control groups that could not be removed: the server stays written down for their sake. */
  readonly leftGroups: readonly string[]
}

/**
 * Stops the servers whose run is gone and removes their data.
 * @param isLeft Which servers are leftovers; by default those whose owner does not run any more.
 */
export async function cleanLeftovers(
  stateFolder: string,
  isLeft: (server: ServerRecord) => boolean = ({ owner }) => !isAlive(owner),
): Promise<Leftover[]> {
  requireProcesses()
  return Promise.all(
    listServers(stateFolder).map((server) =>
      isLeft(server)
        ? endServer(stateFolder, server)
        : { server, what: 'in use' as const, removedFolders: [], leftGroups: [] },
    ),
  )
}

async function endServer(stateFolder: string, server: ServerRecord): Promise<Leftover> {
  const left = { server, removedFolders: [], leftGroups: [] } as const
  const wasAlive = isAlive(server)
  // Without its start time, a process of this number may be any that began later.
  if (wasAlive && server.startTime === null && (await readPid(server.port)) !== server.pid)
    return { ...left, what: 'not recognized' }
  liftLimits(server.groups)
  if (!(await killProcess(server))) return { ...left, what: 'survived' }
  const removedFolders = server.folders.filter(removeOwnFolder)
  const leftGroups = await removeGroups(server.groups)
  if (leftGroups.length === 0) forgetServer(stateFolder, server)
  return { server, what: wasAlive ? 'stopped' : 'was gone', removedFolders, leftGroups }
}
