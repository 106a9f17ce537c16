const comparisons = {
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '==': (a: number, b: number) => a === b,
} as const

/** A parsed threshold, such as "findOne.p99Ms < 5". */
export type Threshold = { readonly address: string; readonly sign: keyof typeof comparisons; readonly limit: number }

/** The form of a threshold: an address, a comparison and a number. */
export const thresholdPattern = /^\s*([\w.@-]+)\s*(<=|>=|==|<|>)\s*(-?\d+(?:\.\d+)?)\s*$/

/** Parses a threshold. Undefined where the text has another form. */
export function parseThreshold(text: string): Threshold | undefined {
  const [, address, sign, limit] = thresholdPattern.exec(text) ?? []
  return address === undefined ? undefined : { address, sign: sign as Threshold['sign'], limit: Number(limit) }
}

export const holds = ({ sign, limit }: Threshold, measured: number): boolean => comparisons[sign](measured, limit)

/** How far a value is beyond the limit, negative where the threshold is met: the largest is the worst. */
export function badness({ sign, limit }: Threshold, measured: number): number {
  if (sign === '==') return Math.abs(measured - limit)
  return sign.startsWith('<') ? measured - limit : limit - measured
}

/** The form of a threshold, for error messages. */
export const thresholdForm = 'a metric, a comparison (< <= > >= ==) and a number, as in "findOne.p99Ms < 5"'
