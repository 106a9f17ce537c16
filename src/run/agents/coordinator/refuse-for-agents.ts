import { Problem } from '../../../core/errors.ts'
import { type LoadDriver } from '../../../load/engines/driver/load-driver.ts'
import { type LoadedSpec } from '../../../spec/load-spec.ts'
import { callsFunctions } from '../../preflight/check-functions.ts'

/** @throws {Problem} "usage" for what agents cannot do: they run nothing but specs, with the driver that they have. */
export function refuseForAgents({ name, rows }: LoadedSpec, driver: LoadDriver): void {
  if (!driver.isBundled)
    throw new Problem('usage', 'Agents measure with the driver of mongo-perf, and not with another one', {
      hint: 'Leave out --driver, or run without --agents.',
    })
  if (rows.some(({ spec }) => spec.target.kind !== 'existing'))
    throw new Problem(
      'usage',
      `The spec "${name}" starts servers on this machine, which agents on others do not reach`,
      {
        hint: 'Measure a running server: give its URI with --uri or MONGO_PERF_URI and --target existing, and to each agent too.',
      },
    )
  const calling = rows.flatMap(({ spec }) => spec.phases).find(callsFunctions)
  if (calling !== undefined)
    throw new Problem(
      'usage',
      `The phase "${calling.name}" calls functions, and agents run no code that they are sent`,
      {
        hint: 'Run it without --agents, with "threads" in its load.',
      },
    )
}
