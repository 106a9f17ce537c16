import { type Result } from '../results/schema.ts'
import { type Environment } from '../results/schema/environment.ts'
import { coresText, diskText, megabytes } from './environment.ts'
import { type Cell } from './rows.ts'
import { type MachinePart } from './schema.ts'

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

/** Only the machine of the client was looked at, and readers of such a table take it for that of the servers. */
export function whoseMachine({ variants }: Result): string {
  const servers = variants.flatMap(({ server }) => server ?? [])
  const ours = servers.filter(({ startedByUs }) => startedByUs)
  if (servers.length === 0) return 'The machine is that of the client.'
  if (ours.length === servers.length) return 'Client and servers shared this machine.'
  return ours.length === 0
    ? 'The machine is that of the client. The servers were there before this run: what they ran on is not shown here.'
    : 'The machine is that of the client and of the servers that were started for this run. Others were there before: what they ran on is not shown here.'
}
