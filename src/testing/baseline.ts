import { mkdir, readFile } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { Problem } from '../errors.ts'
import { replaceFile } from '../replace-file.ts'
import { type ComparedWith } from './expectations/no-slower-than.ts'
import { median } from '../report/statistics.ts'
import { type Measurement } from './measurement.ts'

/** Where the baselines of a suite lie, and which of them this run works with. */
export type BaselineOptions = {
  /** One for each branch, release or class of machines: letters, digits, dots, hyphens and underscores. Default "main". */
  readonly name?: string
  /** Default "test/baselines", to be committed. */
  readonly folder?: string
  /** Whether to save this measurement as the baseline. Default: if there is none, or the variable MONGO_PERF_BASELINE is "update". */
  readonly update?: boolean
}

/** What is kept of a measurement: numbers on lines of their own, so that two versions of a file merge. */
type Kept = Pick<Measurement, 'name' | 'load'> & {
  readonly format: typeof format
  readonly machine: string
  /** Median of its rounds, in runs of a fixed kernel per second. */
  readonly machineSpeed: number | null
  readonly rounds: ComparedWith['rounds']
}

const format = 'mongo-perf-test-baseline'

/**
 * The baseline of a measurement, for `toBeNoSlowerThan`: read from its file, or saved there first.
 * @throws {Problem} "usage" for a name that could be a path, "result-unreadable" for a file that is no baseline.
 */
export async function baseline(
  measurement: Measurement,
  {
    name = 'main',
    folder = 'test/baselines',
    update = process.env['MONGO_PERF_BASELINE'] === 'update',
  }: BaselineOptions = {},
): Promise<ComparedWith> {
  if (!/^[\w-][\w.-]*$/.test(name))
    throw new Problem('usage', `"${name}" cannot be the name of a baseline`, {
      hint: 'It may have letters, digits, dots, hyphens and underscores, with no dot first: "main", "release-1.2".',
    })
  const file = join(folder, name, `${slugOf(measurement.name)}.json`)
  const kept = update ? undefined : await readKept(file)
  if (kept !== undefined) return comparable(kept, measurement)
  if (measurement.rounds.length > 0) {
    await mkdir(join(folder, name), { recursive: true })
    await replaceFile(file, `${JSON.stringify(keptOf(measurement), null, 1)}\n`)
  }
  return measurement
}

const slugOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const thisMachine = (): string => {
  const [cpu] = os.cpus()
  return `${cpu?.model.trim() ?? 'unknown'}, ${os.availableParallelism()} cores, ${os.platform()}`
}

const speedOf = ({ rounds }: Measurement): number | null =>
  median(rounds.flatMap(({ machineSpeed: { before, after } }) => [before, after]))

const rounded = (value: number): number => Number(value.toPrecision(5))

function keptOf(measurement: Measurement): Kept {
  const { name, load, rounds } = measurement
  const speed = speedOf(measurement)
  return {
    format,
    name,
    load,
    machine: thisMachine(),
    machineSpeed: speed === null ? null : rounded(speed),
    rounds: rounds.map(({ callsPerSecond, meanMs }) => ({
      callsPerSecond: rounded(callsPerSecond),
      meanMs: meanMs === null ? null : rounded(meanMs),
    })),
  }
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
    if (kept.format === format && Array.isArray(kept.rounds)) return kept
  } catch {
    // What follows says it.
  }
  throw new Problem('result-unreadable', `${file} is not a baseline of a test suite`, {
    hint: 'Take the file from another commit, or delete it: it is then saved again.',
  })
}

/** Machines that are so much slower or faster than when the baseline was saved are not compared with it. */
const maxSpeedChange = 0.1

function comparable(kept: Kept, measurement: Measurement): ComparedWith {
  const machine = thisMachine()
  const [before, now] = [kept.machineSpeed, speedOf(measurement)]
  const changed = before === null || now === null ? 0 : now / before - 1
  const difference =
    kept.machine !== machine
      ? `the baseline was measured on another machine (${kept.machine}; this is ${machine})`
      : JSON.stringify(kept.load) !== JSON.stringify(measurement.load)
        ? 'the baseline was measured with another load'
        : Math.abs(changed) > maxSpeedChange
          ? `the machine is ${Math.round(Math.abs(changed) * 100)} % ${changed < 0 ? 'slower' : 'faster'} than when the baseline was saved, by a fixed kernel`
          : undefined
  return {
    name: 'its baseline',
    load: kept.load,
    series: Symbol('baseline'),
    rounds: kept.rounds,
    ifBetter: 'Refresh the baseline: MONGO_PERF_BASELINE=update.',
    ...(difference && { difference }),
  }
}
