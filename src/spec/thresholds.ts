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

export const threshold = z
  .string()
  .refine(
    (text) => parseThreshold(text) !== undefined,
    'must be a measure, a comparison (< <= > >= ==) and a number, as in "findOne.p99Ms < 5"',
  )
