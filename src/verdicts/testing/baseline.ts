import { mkdir, readFile } from 'node:fs/promises'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { Problem, withHints } from '../../core/errors.ts'
import { replaceFile } from '../../core/files.ts'
import { type CallWork, workMetricNames } from '../../metrics/work.ts'
import { type ComparedWith } from './expectations/compare-rounds.ts'
import { type Judgement } from './expectations/judgement.ts'
import { type Measurement, unnamed } from './measurement.ts'

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

/** Part of a measurement that is kept for a class of machines. The lists have an entry for each round. */
type Kept = Pick<Measurement, 'name' | 'load' | 'machineSpeed'> & {
  readonly format: typeof timeFormat
  readonly callsPerSecond: readonly number[]
  readonly meanMs: readonly (number | null)[]
  /** Absent in older files. */
  readonly cpuUs?: readonly (number | null)[]
}

const timeFormat = 'mongo-perf-test-baseline'

/** The work of a call, which is kept for all machines. */
type KeptWork = CallWork & { readonly format: typeof workFormat; readonly name: string }

const workFormat = 'mongo-perf-work-baseline'

/** The folder of work, beside those of classes of machines. */
const anyMachine = 'any-machine'

/**
 * The baseline of a measurement, for `toBeNoSlowerThan` and `toDoNoMoreWorkThan`: read from its files, or saved there first. Each name of a measurement
 * has one file for each class of machines, so that branches which add measurements merge, and machines of different kinds are not compared;
 * and one for the work of a call, which is the same on all of them.
 * @throws {Problem} "usage" for a name that cannot be one of a file or that another measurement has, "result-unreadable" for a file that is no baseline.
 */
export function baseline(measurement: Measurement, options: BaselineOptions = {}): Promise<ComparedWith> {
  return withHints(readOrSave)(measurement, options)
}

async function readOrSave(
  measurement: Measurement,
  {
    folder = 'test/report/baselines',
    machine = machineClass(process.env),
    update = process.env['MONGO_PERF_BASELINE'] === 'update',
  }: BaselineOptions,
): Promise<ComparedWith> {
  const { name, rounds, work } = measurement
  validateNames(name, machine)
  const keepIn = <Content extends Kept | KeptWork>(
    part: string,
    format: Content['format'],
    measured: Content | null,
  ): Promise<Found<Content>> => keep(join(folder, part, `${toSlug(name)}.json`), { name, update, format, measured })
  const ofTime = await keepIn(machine, timeFormat, rounds.length === 0 ? null : toKept(measurement))
  const ofWork = await keepIn(anyMachine, workFormat, work && { format: workFormat, name, ...work })
  const known = ofTime.kept === null ? { ...measurement, name: baselineName, ifBetter } : comparable(ofTime.kept)
  return {
    ...(ofTime.saved === undefined ? known : { ...measurement, saved: ofTime.saved }),
    work: ofWork.kept,
    ...(ofWork.saved && { savedWork: ofWork.saved }),
  }
}

/** A file as it was found or saved. Null: there is none, and nothing to save. */
type Found<Content> = { readonly kept: Content | null; readonly saved?: Pick<Judgement, 'because' | 'advice'> }

/** Reads a file, or saves what was measured if there is none or it is to be refreshed. */
async function keep<Content extends Kept | KeptWork>(
  file: string,
  { name, update, format, measured }: Keeping<Content>,
): Promise<Found<Content>> {
  const kept = await readKept(file, format)
  if (kept !== null && kept.name !== name)
    throw new Problem('usage', `${file} is the baseline of "${kept.name}", and "${name}" would have the same file`, {
      hint: 'Give one of the two another name, or delete the file if the measurement was renamed.',
    })
  if (measured === null || (kept !== null && !update)) return { kept }
  await mkdir(dirname(file), { recursive: true })
  await replaceFile(file, serialize(measured))
  const saved =
    kept === null
      ? { because: `had no baseline to compare with: it is saved as ${file}.`, advice: 'Commit that file.' }
      : { because: `was saved as ${file}.` }
  return { kept: measured, saved }
}

/** Contents that a file is to have. Measured is null where there is nothing to save. */
type Keeping<Content extends Kept | KeptWork> = {
  readonly name: string
  readonly update: boolean
  readonly format: Content['format']
  readonly measured: Content | null
}

function validateNames(name: string, machine: string): void {
  if (!/^[\w-][\w.-]*$/.test(machine))
    throw new Problem('usage', `"${machine}" cannot be the name of a class of machines`, {
      hint: 'It may have letters, digits, dots, hyphens and underscores, with no dot first: "ci-large".',
    })
  if (name === unnamed || toSlug(name) === '')
    throw new Problem('usage', `A measurement with the name "${name}" cannot have a baseline`, {
      hint: 'Give it a name with letters or digits: measure(function, { name: "orders of a customer" }).',
    })
}

/** A name as a part of a path. */
export const toSlug = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 100)

/** More digits are noise. */
const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toPrecision(3)))

const toKept = ({ name, load, machineSpeed, rounds }: Measurement): Kept => ({
  format: timeFormat,
  name,
  load,
  machineSpeed: rounded(machineSpeed),
  callsPerSecond: rounds.map(({ callsPerSecond }) => rounded(callsPerSecond) ?? 0),
  meanMs: rounds.map(({ meanMs }) => rounded(meanMs)),
  cpuUs: rounds.map(({ cpuUs }) => rounded(cpuUs)),
})

/** One line for each field, in a fixed order: a refreshed file differs in the lines of its numbers. */
function serialize(kept: object): string {
  const lines = Object.entries(kept).map(([field, value]) => `  ${JSON.stringify(field)}: ${JSON.stringify(value)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

/** Null: there is no such file. */
async function readKept<Content extends Kept | KeptWork>(
  file: string,
  format: Content['format'],
): Promise<Content | null> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
  try {
    const kept = JSON.parse(text) as Content
    if (kept.format === format && isWhole(kept)) return kept
  } catch {
    // Reported below.
  }
  throw new Problem('result-unreadable', `${file} is not a baseline of a test suite`, {
    hint: 'Delete it, and it is saved again: that also solves the conflicts of a merge.',
  })
}

/** Whether all that is read of a file is there. */
const isWhole = (kept: Kept | KeptWork): boolean =>
  kept.format === timeFormat
    ? kept.callsPerSecond.length === kept.meanMs.length
    : workMetricNames.every((metric) => kept[metric] === null || typeof kept[metric] === 'number')

const baselineName = 'its baseline'
const ifBetter = 'It is better than its baseline: refresh that with MONGO_PERF_BASELINE=update.'

const comparable = ({ name, load, machineSpeed, callsPerSecond, meanMs, cpuUs = [] }: Kept): ComparedWith => ({
  name: baselineName,
  load,
  machineSpeed,
  series: Symbol(name),
  work: null,
  rounds: callsPerSecond.map((rate, i) => ({
    callsPerSecond: rate,
    meanMs: meanMs[i] ?? null,
    cpuUs: cpuUs[i] ?? null,
  })),
  ifBetter,
})

/** The class of a machine: the variable MONGO_PERF_MACHINE, else its processor, cores and system, such as "amd-epyc-7b13-2-cores-linux". */
export function machineClass(
  { MONGO_PERF_MACHINE: given }: Readonly<Record<string, string | undefined>>,
  cpus: readonly Pick<os.CpuInfo, 'model'>[] = os.cpus(),
  cores: number = os.availableParallelism(),
): string {
  if (given !== undefined) return given
  const [{ model } = { model: '' }] = cpus
  const processor = model.replaceAll(/\((r|tm)\)|\bcpu\b|\bprocessor\b|\d+-core\b|@.*$/gi, '')
  return toSlug([processor, cores, cores === 1 ? 'core' : 'cores', os.platform()].join(' '))
}
