import { z } from 'zod'
import { mixIn } from '../../core/random.ts'
import { asDouble } from '../values/bson-types.ts'
import { defineGenerator } from './generator.ts'
import { chooseOwn, compileSignal, createRounding, digits, noiseOf, ownNumber, signalFields } from './signal.ts'

/** The generator `@walk`. */
export const walk = defineGenerator({
  keyword: '@walk',
  summary:
    'A random walk: a double that differs a little from the one before it in its series, such as a pressure or a price.',
  args: z
    .strictObject({
      ...signalFields,
      start: ownNumber.prefault(0).describe('First value, or {min, max}: each series its own. Default 0.'),
      step: z.number().min(0).default(1).describe('Standard deviation of the difference of two neighbours. Default 1.'),
      min: z.number().optional().describe('Least value, from which the walk turns back. Default: none.'),
      max: z.number().optional().describe('Greatest value, from which the walk turns back. Default: none.'),
      digits,
    })
    .refine(({ min = -Infinity, max = Infinity }) => min < max, '"min" is not below "max"'),
  example: { start: 20, step: 0.5, min: -10, max: 40 },
  compile({ of, tick, start, step, min = -Infinity, max = Infinity, digits: decimals }, context) {
    const read = compileSignal({ of, tick }, context)
    const round = createRounding(decimals)
    return (drawContext) => {
      const signal = read(drawContext)
      const free = chooseOwn(start, signal.key, 1) + step * walkTo(signal.key, signal.tick)
      return asDouble(round(turnBack(free, min, max)))
    }
  },
})

const levels = 20
const blockDeviation = 2 ** (levels / 2)
const deviations = Array.from({ length: levels }, (_, level) => Math.sqrt(2 ** level / 2))

/**
 * A walk with steps of variance 1, at a tick: halves the way between two ticks that are known until the tick is found, so that
 * each value takes as long as any other, whichever was drawn before (Lévy's construction of Brownian motion).
 */
function walkTo(key: number, tick: number): number {
  const block = Math.floor(tick / 2 ** levels)
  let left = 0
  for (let i = 0; i < block; i++) left += noiseOf(key, i) * blockDeviation
  let right = left + noiseOf(key, block) * blockDeviation
  const ofBlock = mixIn(key, block) | 0
  let rest = (tick - block * 2 ** levels) | 0
  let node = 1
  for (let level = levels - 1; rest > 0; level--) {
    const half = 1 << level
    const middle = (left + right) / 2 + noiseOf(ofBlock, node) * (deviations[level] as number)
    node <<= 1
    if (rest < half) right = middle
    else {
      left = middle
      rest -= half
      node |= 1
    }
  }
  return left
}

/** Reflects a walk at its bounds. */
function turnBack(free: number, min: number, max: number): number {
  if (free >= min && free <= max) return free
  if (max === Infinity) return 2 * min - free
  if (min === -Infinity) return 2 * max - free
  const width = max - min
  const inTwo = (((free - min) % (2 * width)) + 2 * width) % (2 * width)
  return min + Math.min(inTwo, 2 * width - inTwo)
}
