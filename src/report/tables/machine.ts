import { type MachinePart } from '../../metrics/report-schema.ts'
import { type Cell } from '../../metrics/rows/rows.ts'
import { type Result } from '../../results/schema.ts'
import { type Environment } from '../../results/schema/environment.ts'
import { coresText, diskText, megabytes } from '../prose/environment.ts'

export const machineTitles = {
  os: 'OS',
  motherboard: 'Motherboard',
  cpu: 'CPU',
  memory: 'RAM',
  disks: 'Disks',
} as const satisfies Record<MachinePart, string>

const parts: Readonly<Record<MachinePart, (host: Environment['host']) => Cell>> = {
  os: ({ os }) => os,
  motherboard: ({ motherboard }) => motherboard,
  cpu: ({ cpu, cores }) => `${cpu}, ${coresText(cores)}`,
  memory: ({ memoryMB }) => megabytes(memoryMB),
  disks: ({ disks }) => (disks.length === 0 ? null : disks.map(diskText).join('; ')),
}

export const machineCell = ({ environment }: Result, part: MachinePart): Cell => parts[part](environment.host)

/** A remark on whose machine the table shows: always that of the client. */
export function whoseMachine({ variants }: Result): string {
  const servers = variants.flatMap(({ server }) => server ?? [])
  const started = servers.filter(({ startedByUs }) => startedByUs)
  if (servers.length === 0) return 'This is the machine of the client.'
  if (started.length === servers.length) return 'Client and servers shared this machine.'
  return started.length === 0
    ? 'This is the machine of the client. This run did not start the servers, so their machines are not shown.'
    : 'This machine ran the client and the servers that this run started. The machines of other servers are not shown.'
}
