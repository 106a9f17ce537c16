import { type ServerInfo } from '../../results/schema/servers.ts'
import { type RowWarning } from '../../results/warnings/weights.ts'

const refusals = {
  cores: {
    code: 'cores-shared',
    text: 'Client and servers share their cores, although the spec asks for separate cores',
    advice: 'Rows repeat less well. Run on Linux with more cores.',
  },
  limits: {
    code: 'limits-not-kept',
    text: 'Servers ran without the limits that the spec asks for',
    advice:
      'Compare this row only with rows of this machine that ran without limits too. "mongo-perf doctor" shows what can be limited.',
  },
} as const satisfies Record<string, Omit<RowWarning, 'message'> & { readonly text: string }>

/** Why the machine of a row does not do what the spec asks for. Absent: it does. */
export type RefusalReasons = { readonly [Name in keyof typeof refusals]?: string | undefined }

/** Warnings about what a spec asks for and does not require, and this machine cannot do. */
export function warningsOfMachine(reasons: RefusalReasons): readonly RowWarning[] {
  return (['cores', 'limits'] as const).flatMap((name) => {
    const { code, text, advice } = refusals[name]
    const reason = reasons[name]
    return reason === undefined ? [] : [{ code, message: `${text}: ${reason}`, advice }]
  })
}

/** Warns of what a server of another kind does not report. */
export const warningsOfServer = (
  { version }: Pick<ServerInfo, 'version'>,
  unreported: readonly string[],
): readonly RowWarning[] =>
  unreported.length === 0
    ? []
    : [
        {
          code: 'not-reported',
          message: `${version} does not report ${unreported.join(', ')}: columns about them are empty`,
          advice: 'Response times and throughput are measured by the client, and are complete.',
        },
      ]

/** Warns of I/O that the limits of a disk do not reach. Tried with control groups of version 1. */
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
