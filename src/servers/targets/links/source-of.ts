import { readdirSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { readProcFile } from '../../system.ts'
import { type End } from './delays.ts'

/** A connection as its far end has it: the ports that it comes from and leads to. */
export type PeerPorts = { readonly from: number; readonly to: number }

/** Who opened each of these connections. */
export type SourcesOf = (peers: readonly PeerPorts[]) => Promise<readonly End[]>

/** A field of the first message that every member sends to another (the server's `hello`), and no client. */
const memberMarker = 'internalClient'

/**
 * Whether these first bytes of a connection are a whole message of a client. Pools open hundreds of connections at once, as
 * when a primary was elected, and looking each of them up would take seconds.
 */
export const isOfClient = (first: Buffer): boolean =>
  first.length >= 4 && first.readInt32LE() === first.length && !first.includes(memberMarker)

/** The kernel's list of connections, in `/proc`. */
export const connectionTable = 'net/tcp'
/** Programs with IPv6 sockets are listed here, also where they speak IPv4. */
const connectionTable6 = 'net/tcp6'

/**
 * Finds which member opened connections, by the process that owns their far ends; "client" where none of them does. Reads
 * what the kernel has of all connections, in tens of milliseconds: to be asked for many at once rather than for each.
 * @param pids Process ids of the members, in their order. Read anew each time: a member that is started again has another.
 * @param root Where the file system begins.
 */
export function sourceFinder(pids: readonly number[], root: string): SourcesOf {
  return async (peers) => {
    const inodes = await readInodes(peers, root)
    if (inodes.every((inode) => inode === undefined)) return peers.map(() => 'client')
    const members = new Map(pids.flatMap((pid, member) => listSockets(pid, root).map((inode) => [inode, member])))
    return inodes.map((inode) => members.get(inode ?? '') ?? 'client')
  }
}

async function readInodes(peers: readonly PeerPorts[], root: string): Promise<readonly (string | undefined)[]> {
  const listed = inodesIn(await readProcFile(connectionTable, root))
  const found = peers.map((peer) => listed.get(portsKey(peer)))
  if (found.every((inode) => inode !== undefined)) return found
  const listed6 = inodesIn(await readProcFile(connectionTable6, root))
  return peers.map((peer, i) => found[i] ?? listed6.get(portsKey(peer)))
}

/** Fields of a line: number, local address, remote address, six more, inode. A socket that no process owns any more has inode 0. */
const listedConnection = /^ *\d+: \w+:(\w{4}) \w+:(\w{4})(?: +\S+){6} +([1-9]\d*) /gm

const inodesIn = (table: string): ReadonlyMap<string, string> =>
  new Map([...table.matchAll(listedConnection)].map(([, from, to, inode = '']) => [`${from}:${to}`, inode]))

const portsKey = ({ from, to }: PeerPorts): string => `${inHex(from)}:${inHex(to)}`

const inHex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')

/** Inodes of the sockets that a process has open. */
function listSockets(pid: number, root: string): readonly string[] {
  const folder = path.join(root, 'proc', String(pid), 'fd')
  return openFiles(folder).flatMap(
    (file) => /^socket:\[(\d+)\]$/.exec(readLinkTarget(path.join(folder, file)))?.[1] ?? [],
  )
}

/** None, of a process that has ended. */
function openFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readLinkTarget(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    return ''
  }
}
