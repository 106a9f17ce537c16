import { z } from 'zod'

const comparisons = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '==': (a: number, b: number) => a === b,
} as const

export type Threshold = {
  readonly address: string
  readonly sign: keyof typeof comparisons
  readonly limit: number
}

const pattern = /^\s*([\w.-]+)\s*(<=|>=|==|<|>)\s*(-?\d+(?:\.\d+)?)\s*$/

export function parseThreshold(text: string): Threshold | undefined {
  const [, address, sign, limit] = pattern.exec(text) ?? []
  return address === undefined ? undefined : { address, sign: sign as Threshold['sign'], limit: Number(limit) }
}

export const holds = ({ sign, limit }: Threshold, measured: number): boolean => comparisons[sign](measured, limit)

/** How far a value is on the wrong side of the limit, or how near to it on the right one: the largest is the worst. */
export function badness({ sign, limit }: Threshold, measured: number): number {
  if (sign === '==') return Math.abs(measured - limit)
  return sign.startsWith('<') ? measured - limit : limit - measured
}

export const thresholdForm = 'a measure, a comparison (< <= > >= ==) and a number, as in "findOne.p99Ms < 5"'

const text = z.string().refine((given) => parseThreshold(given) !== undefined, `must be ${thresholdForm}`)

export const threshold = z
  .union([
    text,
    z.strictObject({
      holds: text.describe('What must hold, such as "errors == 0".'),
      abort: z
        .boolean()
        .default(false)
        .describe('Whether the run ends with the first row that misses it. Default false.'),
    }),
  ])
  .transform((given) => (typeof given === 'string' ? { holds: given, abort: false } : given))

export type ThresholdSpec = z.output<typeof threshold>
