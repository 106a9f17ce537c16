import { Problem } from '../../errors.ts'
import { type Result } from '../../results/schema.ts'
import { type Address, measureIn, readAddress } from '../address.ts'
import { columnOf, isMeasure, type Measure, measures } from '../columns.ts'
import { type PhaseShape, type Place, type Shape, shapeOf } from '../scope.ts'

/** A figure to compare. */
export type ComparedMeasure = {
  /** The address, as `--measure` takes it. */
  readonly text: string
  readonly address: Address
  readonly better: 'higher' | 'lower'
}

/** Measures of which the first is taken that has enough samples on both sides. */
export type Choice = readonly [ComparedMeasure, ...(readonly ComparedMeasure[])]

/** What is compared if nothing is named: the throughput of each phase, latencies of each operation, and CPU of the server per operation. */
export function defaultMeasures(a: Result, b: Result): readonly Choice[] {
  const others = shapeOf(b).phases
  const phases = shapeOf(a).phases.flatMap((phase) => {
    const other = others.find(({ name }) => name === phase.name)
    return other === undefined ? [] : [commonPart(phase, other)]
  })
  return phases.flatMap((phase) => measuresOf(phase, phases.length === 1))
}

const commonPart = (a: PhaseShape, b: PhaseShape): PhaseShape => ({
  ...a,
  operations: a.operations.filter(({ name }) => b.operations.some((operation) => operation.name === name)),
})

/** @param isOnly Whether addresses need no name of the phase. */
function measuresOf({ name: phase, operations }: PhaseShape, isOnly: boolean): readonly Choice[] {
  const prefix = isOnly ? '' : `${phase}.`
  const ofPhase = (measure: Measure): ComparedMeasure => compared(prefix, measure, { kind: 'phase', phase })
  const latencyOf = (operation: string, measure: Measure): ComparedMeasure =>
    operations.length === 1
      ? ofPhase(measure)
      : compared(`${operation === phase ? `${phase}.` : prefix}${operation}.`, measure, {
          kind: 'operation',
          phase,
          operation,
        })
  return [
    [ofPhase('opsPerSecond')],
    ...operations.map(({ name }): Choice => [latencyOf(name, 'p99Ms'), latencyOf(name, 'p50Ms')]),
    [ofPhase('serverCpuUsPerOperation')],
  ]
}

const compared = (prefix: string, measure: Measure, place: Place): ComparedMeasure => ({
  text: `${prefix}${measure}`,
  address: { measure, place },
  better: columnOf(measure).better ?? 'lower',
})

/**
 * The named measures that both results have.
 * @throws {Problem} "usage" for measures of which neither higher nor lower values are better.
 */
export function namedMeasures(texts: readonly string[], a: Result, b: Result): readonly Choice[] {
  const [shapeA, shapeB] = [shapeOf(a), shapeOf(b)]
  return texts.flatMap((text): readonly Choice[] => {
    const [address, other] = [readAddress(text, shapeA), readAddress(text, shapeB)]
    return 'reason' in address || 'reason' in other ? [] : [[{ text, address, better: betterOf(text, address) }]]
  })
}

function betterOf(text: string, { measure }: Address): 'higher' | 'lower' {
  const { better } = columnOf(measure)
  if (better !== undefined) return better
  const known = measures.filter((name) => columnOf(name).better !== undefined && !name.includes('.'))
  throw new Problem('usage', `--measure ${text}: neither higher nor lower values of "${measure}" are better`, {
    hint: `Those that compare are ${known.join(', ')}.`,
  })
}

/**
 * Refuses an address that no result has.
 * @throws {Problem} "usage" with the nearest address.
 */
export function refuseUnknownMeasures(texts: readonly string[], results: readonly Result[]): void {
  const shapes: readonly Shape[] = results.map(shapeOf)
  for (const text of texts) {
    const issues = shapes.map((shape) => readAddress(text, shape))
    const [first] = issues
    if (first === undefined || issues.some((issue) => !('reason' in issue)) || !('reason' in first)) continue
    const isPlace = isMeasure(measureIn(text))
    throw new Problem('usage', `--measure ${text}: ${first.reason}`, {
      hint:
        first.nearest !== null
          ? `Did you mean "${first.nearest}"?`
          : isPlace
            ? 'An address is [phase.][operation.]measure.'
            : '`mongo-perf list columns` lists the measures.',
    })
  }
}
