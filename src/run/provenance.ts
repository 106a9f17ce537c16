import * as os from 'node:os'
import { toolVersion } from '../core/versions.ts'
import { type DriverModule, clientOptions, knownOptions } from '../load/engines/driver/client-options.ts'
import type { LoadDriver } from '../load/engines/driver/load-driver.ts'
import { describeEnvironment, readMachineParts } from '../results/machine-parts.ts'
import type { Result } from '../results/schema.ts'
import type { Environment } from '../results/schema/environment.ts'

/** Tool that measured, and environment in which it did. */
export type Provenance = Pick<Result, 'tool' | 'environment'>

/** Returns the provenance of the rows that are run now. */
export const provenanceHere = ({ module, version }: LoadDriver): Provenance => ({
  tool: { name: 'mongo-perf', version: toolVersion() },
  environment: describeEnvironment({
    host: os,
    parts: readMachineParts('/'),
    node: process.version,
    driver: { name: 'mongodb', version, options: measuringOptions(module) },
  }),
})

/** Returns the options that are the same for every phase; the pool has a connection per worker, and deadlines are the phase's. */
function measuringOptions(driver: DriverModule): Environment['driver']['options'] {
  const options = knownOptions(driver, clientOptions({ workers: 1, deadlineMs: 1, retries: 'none' }))
  return Object.fromEntries(
    shownOptions.flatMap((name) => {
      const value = options[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

const shownOptions = ['retryReads', 'retryWrites', 'maxAdaptiveRetries', 'monitorCommands'] as const

const code = 'resumed-elsewhere'

/**
 * Returns the provenance of a result that is gone on with: rows keep the one that they were measured with, and a warning shows where that of
 * further rows is another.
 * @param runsMore Whether there are any.
 */
export function resumedProvenance(
  earlier: Provenance & Pick<Result, 'warnings'>,
  here: Provenance,
  runsMore: boolean,
): Provenance & Pick<Result, 'warnings'> {
  const { tool, environment } = earlier
  const differences = runsMore ? differencesBetween(earlier, here) : []
  const reported = earlier.warnings.filter((warning) => warning.code === code)
  const warning = {
    code,
    message: `Rows of this result were measured in several places: ${differences.join('; ')}`,
    advice: 'Do not compare rows from different places. Run all of them again, without --resume.',
  }
  return { tool, environment, warnings: differences.length === 0 ? reported : [...reported, warning] }
}

const facts: readonly ((provenance: Provenance) => string)[] = [
  ({ tool }) => `${tool.name} ${tool.version}`,
  ({ environment: { driver } }) => `${driver.name} ${driver.version}`,
  ({ environment }) => `Node.js ${environment.node}`,
  ({ environment: { host } }) => `${host.cpu}, ${host.cores} cores, ${host.memoryMB} MB`,
  ({ environment: { host } }) => host.os,
]

const differencesBetween = (earlier: Provenance, here: Provenance): readonly string[] =>
  facts.flatMap((fact) => (fact(earlier) === fact(here) ? [] : [`${fact(earlier)}, then ${fact(here)}`]))
