import { type CpuOfStarted, startMachineMeter } from '../measure/machine-meter.ts'
import { otherLoad } from '../measure/other-load.ts'
import { type OtherLoad } from '../results/schema/client.ts'
import { type MemberResources } from '../results/schema/servers.ts'
import { hostName } from '../targets/loopback.ts'
import { type RunningTarget } from '../targets/target.ts'
import { isThisMachine } from '../targets/this-machine.ts'

/** What other processes used, once it is known what the members did meanwhile. */
export type OtherLoadBeside = (members: readonly MemberResources[]) => OtherLoad[]

/** Of a window that never began. */
export const notWatched: OtherLoadBeside = () => []

/** Watches the machines of a target from now on. Call the returned function at the end of the window, once. */
export function watchMachine(
  { startedByUs, members }: RunningTarget,
  cpuOfStarted: CpuOfStarted,
): () => OtherLoadBeside {
  const servers = members.map(({ name, host }) => ({ name, machine: hostName(host), isHere: isThisMachine(host) }))
  const read = startMachineMeter(cpuOfStarted)
  return () => {
    const readings = read()
    return (known) => otherLoad(readings, { startedByUs, servers }, known)
  }
}
