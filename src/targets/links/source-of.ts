import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import path from 'node:path'
import { type End } from './pairs.ts'

/** A connection as its far end has it: the ports that it comes from and leads to. */
export type PeerPorts = { readonly from: number; readonly to: number }

export type SourceOf = (peer: PeerPorts) => End

/** Where the kernel lists connections, below the root of a file system. */
export const connectionTable = 'proc/net/tcp'
/** Programs with IPv6 sockets are listed here, also where they speak IPv4. */
const connectionTable6 = 'proc/net/tcp6'

/**
 * Tells which member opened a connection, by the process that owns its far end; "client" when none of them does.
 * Read at once, in a millisecond or two: connections are rare beside what passes through them.
 * @param pids Process ids of the members, in their order. Read anew each time: a member that is started again has another.
 * @param root Where the file system begins.
 */
export function sourceFinder(pids: readonly number[], root: string): SourceOf {
  return (peer) => {
    const inode = inodeOf(peer, read(root, connectionTable)) ?? inodeOf(peer, read(root, connectionTable6))
    const member = inode === undefined ? -1 : pids.findIndex((pid) => owns(pid, inode, root))
    return member < 0 ? 'client' : member
  }
}

/** Fields of a line: number, local address, remote address, six more, inode. A socket that nobody owns any more has inode 0. */
function inodeOf({ from, to }: PeerPorts, table: string): string | undefined {
  const line = `^ *\\d+: \\w+:${inHex(from)} \\w+:${inHex(to)}(?: +\\S+){6} +([1-9]\\d*) `
  return new RegExp(line, 'm').exec(table)?.[1]
}

const inHex = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0')

function owns(pid: number, inode: string, root: string): boolean {
  const folder = path.join(root, 'proc', String(pid), 'fd')
  return openFiles(folder).some((file) => linkOf(path.join(folder, file)) === `socket:[${inode}]`)
}

/** None, of a process that has ended. */
function openFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function linkOf(file: string): string | undefined {
  try {
    return readlinkSync(file)
  } catch {
    return undefined
  }
}

function read(root: string, table: string): string {
  try {
    return readFileSync(path.join(root, table), 'utf8')
  } catch {
    return ''
  }
}
