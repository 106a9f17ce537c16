import { z } from 'zod'
import { mixIn } from '../../core/random.ts'
import { defineGenerator } from './generator.ts'
import { chooseOwn, compileSignal, digits, drawNoise, ownNumber, roundTo, signalFields } from './signal.ts'

export const walk = defineGenerator({
  keyword: '@walk',
  summary: 'A random walk: a double near the one before it in its series, such as a pressure or a price.',
  args: z
    .strictObject({
      ...signalFields,
      start: ownNumber().prefault(0).describe('First value, or {min, max}: each series its own. Default 0.'),
      step: z.number().min(0).default(1).describe('Standard deviation of the difference of two neighbours. Default 1.'),
      min: z.number().optional().describe('Minimum, at which the walk turns back. Default: none.'),
      max: z.number().optional().describe('Maximum, at which the walk turns back. Default: none.'),
      digits,
    })
    .refine(
      ({ min = -Infinity, max = Infinity, step }) => max - min > step,
      '"max" must be above "min" by more than a "step"',
    ),
  example: { start: 20, step: 0.5, min: -10, max: 40 },
  compile({ start, step, min = -Infinity, max = Infinity, digits: decimals, ...series }, context) {
    const round = roundTo(decimals)
    return compileSignal(series, context, (key, tick) => {
      let at = chooseOwn(start, key, -1) + step * walkTo(key, tick)
      while (at < min || at > max) at = 2 * (at < min ? min : max) - at
      return round(at)
    })
  },
})

const levels = 20
const deviations = Array.from({ length: levels }, (_, level) => Math.sqrt(2 ** level / 2))
const blockDeviation = Math.sqrt(2 ** levels)

/**
 * A walk with steps of variance 1, at a tick: halves the way between two ticks that are known until the tick is found, so that
 * each value takes as long as any other, whichever was drawn before (Lévy's construction of Brownian motion).
 */
function walkTo(key: number, tick: number): number {
  const block = Math.floor(tick / 2 ** levels)
  let left = 0
  for (let i = 0; i < block; i++) left += drawNoise(key, i) * blockDeviation
  let right = left + drawNoise(key, block) * blockDeviation
  const ofBlock = mixIn(key, block) | 0
  let rest = (tick - block * 2 ** levels) | 0
  let node = 1
  for (let level = levels - 1; rest > 0; level--) {
    const half = 1 << level
    const middle = (left + right) / 2 + drawNoise(ofBlock, node) * (deviations[level] as number)
    const isRight = rest >= half
    node = (node << 1) | (isRight ? 1 : 0)
    if (isRight) {
      left = middle
      rest -= half
    } else right = middle
  }
  return left
}
