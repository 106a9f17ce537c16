import { z } from 'zod'
import { type Stream } from '../../core/random.ts'
import { asDouble } from '../values/bson-types.ts'
import { type DrawContext } from '../values/draw-context.ts'
import { defineGenerator, type Generated, type GeneratorContext } from './generator.ts'

/** Draws for one value within the bounds before the nearer bound is taken: more are needed only far from the mean. */
const maxTries = 1000

const bounds = {
  min: z.number().optional().describe('Least value: what falls below is drawn again. Default: none.'),
  max: z.number().optional().describe('Greatest value: what falls above is drawn again. Default: none.'),
}

type Bounds = { readonly min?: number | undefined; readonly max?: number | undefined }

const inOrder = [({ min = -Infinity, max = Infinity }: Bounds): boolean => min <= max, '"min" is above "max"'] as const

/** A number of the standard normal distribution (Box and Muller, 1958). */
function drawNormal(stream: Stream): number {
  const radius = Math.sqrt(-2 * Math.log(1 - stream.float()))
  return radius * Math.cos(2 * Math.PI * stream.float())
}

/** Draws values until one is within the bounds. */
function within(
  { min = -Infinity, max = Infinity }: Bounds,
  context: GeneratorContext,
  make: (stream: Stream) => number,
): Generated {
  const stream = context.stream()
  return ({ n, lane }: DrawContext) => {
    stream.at(n, lane)
    let drawn = make(stream)
    for (let tries = 1; tries < maxTries && !(drawn >= min && drawn <= max); tries++) drawn = make(stream)
    return asDouble(Math.min(max, Math.max(min, drawn)))
  }
}

export const gaussianDouble = defineGenerator({
  keyword: '@gaussian',
  summary: 'A double of a normal distribution.',
  args: z
    .strictObject({
      mean: z.number().default(0).describe('Middle of the bell. Default 0.'),
      sigma: z.number().min(0).default(1).describe('Standard deviation. Default 1.'),
      ...bounds,
    })
    .refine(...inOrder),
  example: { mean: 20, sigma: 5, min: 0 },
  compile: ({ mean, sigma, ...range }, context) =>
    within(range, context, (stream) => mean + sigma * drawNormal(stream)),
})

export const logNormal = defineGenerator({
  keyword: '@logNormal',
  summary: 'A double above 0 whose logarithm is normally distributed: sizes, prices and durations, few of them large.',
  args: z
    .strictObject({
      median: z.number().positive().default(1).describe('Half of the values are below it. Default 1.'),
      sigma: z
        .number()
        .min(0)
        .max(10)
        .default(1)
        .describe('Deviation of the logarithm: with 1, one value in six is above 2.7 times the median. Default 1.'),
      ...bounds,
    })
    .refine(...inOrder),
  example: { median: 30, sigma: 0.5, max: 1000 },
  compile: ({ median, sigma, ...range }, context) =>
    within(range, context, (stream) => median * Math.exp(sigma * drawNormal(stream))),
})

export const exponential = defineGenerator({
  keyword: '@exponential',
  summary: 'A double above 0 of a negative exponential distribution: pauses of people, and times between events.',
  args: z.strictObject({
    mean: z.number().positive().default(1).describe('Mean, without "max". Default 1.'),
    max: z.number().positive().optional().describe('Greatest value: what is above is drawn again. Default: none.'),
  }),
  example: { mean: 12, max: 120 },
  compile: ({ mean, max }, context) => within({ max }, context, (stream) => -mean * Math.log(1 - stream.float())),
})
