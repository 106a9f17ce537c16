import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseCoreList } from '../../core-list.ts'

/**
 * The cores that this process may use, in ascending order. Undefined where the system does not report them: it is not Linux.
 * @param root Where the file system of the machine begins.
 */
export async function readAllowedCores(root: string): Promise<readonly number[] | undefined> {
  const status = await readFile(path.join(root, 'proc/self/status'), 'utf8').catch(() => '')
  const list = /^Cpus_allowed_list:\s*(\S+)$/m.exec(status)?.[1]
  return list === undefined ? undefined : parseCoreList(list)
}
