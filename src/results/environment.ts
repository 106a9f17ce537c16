import { type MachineParts } from './machine-parts.ts'
import { type Environment } from './schema/environment.ts'

/** The functions of `node:os` that describe this machine. The host name is not among them. */
export type HostFacts = {
  readonly type: () => string
  readonly release: () => string
  readonly platform: () => string
  readonly arch: () => string
  readonly totalmem: () => number
  readonly availableParallelism: () => number
  readonly cpus: () => readonly { readonly model: string }[]
}

/**
 * Describes the client machine, Node.js and the driver.
 * @param driver Its options hold settings of the measurement (pool, retries), never a URI or credentials.
 */
export function describeEnvironment({
  host,
  parts,
  node,
  driver,
}: {
  readonly host: HostFacts
  readonly parts: MachineParts
  /** "v20.20.2" */
  readonly node: string
  readonly driver: Environment['driver']
}): Environment {
  return {
    host: {
      os: `${host.type()} ${host.release()}`,
      // Virtual machines and some ARM hosts report no model.
      cpu: host.cpus()[0]?.model.trim() || 'unknown',
      cores: host.availableParallelism(),
      memoryMB: Math.round(host.totalmem() / 1024 ** 2),
      platform: `${host.platform()}-${host.arch()}`,
      ...parts,
    },
    node,
    driver,
  }
}
