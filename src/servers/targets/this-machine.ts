import os from 'node:os'
import { hostName, isLoopback } from './loopback.ts'

/** Whether a host ("db1:27017", "192.0.2.7:27017") names this machine. Containers have addresses of their own, and count as others. */
export function isThisMachine(host: string): boolean {
  const name = hostName(host)
  return isLoopback(host) || name === os.hostname().toLowerCase() || ownAddresses().includes(name)
}

const ownAddresses = (): readonly string[] =>
  Object.values(os.networkInterfaces()).flatMap((addresses = []) => addresses.map(({ address }) => address))
