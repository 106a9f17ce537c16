import { type ServerInfo } from '../../results/schema/servers.ts'
import { type RowWarning } from '../../results/warnings/weights.ts'

/** What the limits of a disk do not reach. Tried with control groups of version 1. */
export function warningsOfLimits({ limits, directIO }: Pick<ServerInfo, 'limits' | 'directIO'>): readonly RowWarning[] {
  if (limits === null || directIO) return []
  const { readIops, writeIops, readMBps, writeMBps } = limits
  if ([readIops, writeIops, readMBps, writeMBps].every((limit) => limit === null)) return []
  return [
    {
      code: 'page-cache-unlimited',
      message:
        'The limits of the disk hold what the server waits for: reads that the page cache answers, and writes that the kernel makes later, are not held to them',
      advice: 'Set "directIO" to have data files read and written past the page cache',
    },
  ]
}
