import { type CliContext } from '../cli-context.ts'
import { type SizeFlags } from '../commands/size.ts'
import { runSpecs } from './run.ts'

/** Runs a spec with a search in the place of its load, and prints the rate that was found instead of the report. */
export async function sizeServer(spec: string, flags: SizeFlags, cli: CliContext): Promise<void> {
  const { p99, holds = [], from, to, seconds, ...others } = flags
  const limits = [...(p99 === undefined ? [] : [`responseP99Ms < ${p99}`, 'errors == 0']), ...holds]
  const findRate = { holds: limits.length === 0 ? undefined : limits, from, to, secondsPerStep: seconds }
  await runSpecs([spec], { ...others, findRate, format: 'rate', baselines: '.', logLevel: 'warn' }, cli)
}
