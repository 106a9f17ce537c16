import { isObject, type Json } from '../../core/json.ts'
import { type Result } from '../../results/schema.ts'
import { createEvaluator } from '../../metrics/evaluate.ts'
import { isNumber } from '../../metrics/statistics.ts'
import { type DrawnPhase } from './faults.ts'
import { whyNotCompared } from '../trust/judge.ts'

/** Seconds of warm-up before the windows of some phases, by the spec; 0 if there was none, or if they differ. */
export function warmupSeconds(result: Result, drawn: readonly DrawnPhase[]): number {
  const { value } = createEvaluator(result, {}, whyNotCompared)
  const lengths = drawn.map(({ phase, row }) => {
    const seconds = warmupOf(result.spec.effective, phase.name)
    const known = seconds === undefined ? 0 : value(seconds, row)
    return isNumber(known) ? known : 0
  })
  const [first = 0, ...others] = lengths
  return others.every((length) => length === first) ? first : 0
}

/** The length of the warm-up of a phase, as the spec has it. */
function warmupOf(effective: Json, name: string): Json | undefined {
  const phases = isObject(effective) ? effective['phases'] : undefined
  if (!Array.isArray(phases)) return undefined
  const phase = (phases as readonly Json[]).filter(isObject).find((one) => one['name'] === name)
  const warmup = phase?.['warmup']
  return warmup !== undefined && isObject(warmup) ? warmup['seconds'] : undefined
}
