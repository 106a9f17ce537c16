import { mkdir, readFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { Problem } from '../../core/errors.ts'
import { replaceFile } from '../../core/files.ts'
import { type ComparedWith } from './expectations/no-slower-than.ts'
import { type Measurement, unnamed } from './measurement.ts'
import { withHints } from './runner-output.ts'

/** Folder of the baselines of a suite, and which of them this run works with. */
export type BaselineOptions = {
  /** Default "test/report/baselines", to be committed: each branch then has its own. */
  readonly folder?: string
  /**
   * The folder in it: a name for machines that are alike, of letters, digits, dots, hyphens and underscores. Default: the variable
   * MONGO_PERF_MACHINE, else processor, cores and system of this one, such as "amd-epyc-7b13-2-cores-linux".
   */
  readonly machine?: string
  /** Whether to save this measurement as the baseline. Default: if there is none, or the variable MONGO_PERF_BASELINE is "update". */
  readonly update?: boolean
}

/** Part of a measurement that is kept. The two lists have an entry for each round. */
type Kept = Pick<Measurement, 'name' | 'load' | 'machineSpeed'> & {
  readonly format: typeof format
  readonly callsPerSecond: readonly number[]
  readonly meanMs: readonly (number | null)[]
}

const format = 'mongo-perf-test-baseline'

/**
 * The baseline of a measurement, for `toBeNoSlowerThan`: read from its file, or saved there first. Each name of a measurement has one file for each
 * class of machines, so that branches which add measurements merge, and machines of different kinds are not compared.
 * @throws {Problem} "usage" for a name that cannot be one of a file or that another measurement has, "result-unreadable" for a file that is no baseline.
 */
export function baseline(measurement: Measurement, options: BaselineOptions = {}): Promise<ComparedWith> {
  return withHints(() => readOrSave(measurement, options))
}

async function readOrSave(
  measurement: Measurement,
  {
    folder = 'test/report/baselines',
    machine = machineClass(process.env),
    update = process.env['MONGO_PERF_BASELINE'] === 'update',
  }: BaselineOptions,
): Promise<ComparedWith> {
  const { name, rounds } = measurement
  validateNames(name, machine)
  const file = join(folder, machine, `${toSlug(name)}.json`)
  const kept = await readKept(file)
  if (kept !== undefined && kept.name !== name) throw sameFile(file, kept.name, name)
  if (kept !== undefined && !update) return comparable(kept)
  if (rounds.length === 0) return measurement
  await mkdir(join(folder, machine), { recursive: true })
  await replaceFile(file, serializeMeasurement(measurement))
  const saved =
    kept === undefined
      ? { because: `had no baseline, and was not compared: it is saved as ${file}.`, advice: 'Commit that file.' }
      : { because: `was saved as ${file}.` }
  return { ...measurement, saved }
}

function validateNames(name: string, machine: string): void {
  if (!/^[\w-][\w.-]*$/.test(machine))
    throw new Problem('usage', `"${machine}" cannot be the name of a class of machines`, {
      hint: 'It may have letters, digits, dots, hyphens and underscores, with no dot first: "ci-large".',
    })
  if (name === unnamed || toSlug(name) === '')
    throw new Problem('usage', `A measurement with the name "${name}" cannot have a baseline`, {
      hint: 'Give it a name of its own, with letters or digits: measure(function, { name: "orders of a customer" }).',
    })
}

const sameFile = (file: string, kept: string, name: string): Problem =>
  new Problem('usage', `${file} is the baseline of "${kept}", and "${name}" would have the same file`, {
    hint: 'Give one of the two another name, or delete the file if the measurement was renamed.',
  })

/** A name as a part of a path. */
export const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100)

/** More digits are noise. */
const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(3)))

/** One line for each field, in a fixed order: a refreshed file differs in three lines. */
function serializeMeasurement(measurement: Measurement): string {
  const { name, load, machineSpeed, rounds } = measurement
  const kept = {
    format,
    name,
    load,
    machineSpeed: rounded(machineSpeed),
    callsPerSecond: rounds.map(({ callsPerSecond }) => rounded(callsPerSecond)),
    meanMs: rounds.map(({ meanMs }) => rounded(meanMs)),
  }
  const lines = Object.entries(kept).map(([field, value]) => `  ${JSON.stringify(field)}: ${JSON.stringify(value)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

async function readKept(file: string): Promise<Kept | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  try {
    const kept = JSON.parse(text) as Kept
    if (kept.format === format && kept.callsPerSecond.length === kept.meanMs.length) return kept
  } catch {
    // Reported below.
  }
  throw new Problem('result-unreadable', `${file} is not a baseline of a test suite`, {
    hint: 'Delete it, and it is saved again: that also solves the conflicts of a merge.',
  })
}

const comparable = ({ name, load, machineSpeed, callsPerSecond, meanMs }: Kept): ComparedWith => ({
  name: 'its baseline',
  load,
  machineSpeed,
  series: Symbol(name),
  rounds: callsPerSecond.map((rate, i) => ({ callsPerSecond: rate, meanMs: meanMs[i] ?? null })),
  ifBetter: 'It is better than its baseline: refresh that with MONGO_PERF_BASELINE=update.',
})

type Cpus = readonly Pick<os.CpuInfo, 'model'>[]

/** The class of a machine: the variable MONGO_PERF_MACHINE, else its processor, cores and system, such as "amd-epyc-7b13-2-cores-linux". */
export function machineClass(
  { MONGO_PERF_MACHINE: given }: Readonly<Record<string, string | undefined>>,
  cpus: Cpus = os.cpus(),
  cores: number = os.availableParallelism(),
): string {
  if (given !== undefined) return given
  const [{ model } = { model: '' }] = cpus
  const processor = model.replaceAll(/\((r|tm)\)|\bcpu\b|\bprocessor\b|\d+-core\b|@.*$/gi, '')
  const parts = [processor, cores, cores === 1 ? 'core' : 'cores', os.platform()]
  return parts
    .join(' ')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
