import { Problem } from '../../core/errors.ts'
import { type LoadDriver } from '../../load/engines/driver/load-driver.ts'
import { type RunFunctions } from '../../load/engines/load-functions.ts'
import { type LoadedSpec } from '../../spec/load-spec.ts'
import { calledIn, listMethods } from '../../spec/plan/phase-operations.ts'
import { type PhaseSpec } from '../../spec/schema/phase-schema.ts'
import { type RunEnvironment } from '../run-environment.ts'

/** @throws {Problem} "usage" for what the driver, the functions or the agents of a run cannot do. */
export function checkAbilities(
  spec: LoadedSpec,
  { driver, functions }: Pick<RunEnvironment, 'driver' | 'functions'>,
  hasAgents: boolean,
): void {
  checkDriver(spec, driver)
  checkFunctions(spec, functions)
  if (hasAgents) refuseForAgents(spec, driver)
}

/** @throws {Problem} "usage" where a spec asks for what a driver that was handed in cannot do. */
export function checkDriver({ rows }: Pick<LoadedSpec, 'rows'>, { version, isBundled, translate }: LoadDriver): void {
  if (isBundled) return
  const specs = rows.map(({ spec }) => spec)
  const phases = specs.flatMap((spec) => spec.phases).filter(({ engine }) => engine === 'driver')
  if (phases.length === 0)
    throw new Problem('usage', 'No phase uses the custom driver: all use the engine "wire"', {
      hint: 'Leave "driver" out of the options, or choose the engine "driver" for what it is to send.',
    })
  if (phases.some(usesThreads))
    throw new Problem('usage', 'A custom driver runs on one thread only: threads cannot share it', {
      hint: 'Leave "threads" out of the spec, or "driver" out of the options.',
    })
  if (translate && specs.some(({ checks }) => checks.length > 0))
    throw new Problem(
      'usage',
      `Checks cannot read what driver ${version} sends: its BSON is of another major version`,
      { hint: 'Hand in a driver 7, or leave "checks" out of the spec.' },
    )
}

/** @throws {Problem} "usage" where functions that were handed in as values are to be called on several threads. */
export function checkFunctions({ rows }: Pick<LoadedSpec, 'rows'>, { file }: RunFunctions): void {
  if (file !== undefined) return
  const phase = rows.flatMap(({ spec }) => spec.phases).find((one) => usesThreads(one) && callsFunctions(one))
  if (phase === undefined) return
  throw new Problem(
    'usage',
    `The phase "${phase.name}" calls functions on several threads, and threads cannot share functions passed as values`,
    {
      hint: 'Name the module that exports them, so that each thread loads it: run(spec, { functions: "perf/functions.js" }); or leave "threads" out of the spec.',
    },
  )
}

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
      { hint: 'Run it without --agents, with "threads" in its load.' },
    )
}

const usesThreads = ({ load }: PhaseSpec): boolean => load.threads !== undefined && load.threads > 1

/** Whether operations of a phase are functions that are handed in. */
const callsFunctions = (phase: PhaseSpec): boolean =>
  calledIn(phase).some(({ spec }) => listMethods(spec).some(({ kind }) => kind === 'function'))
