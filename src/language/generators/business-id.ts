import { z } from 'zod'
import { mixIn } from '../../core/random.ts'
import { defineGenerator } from './generator.ts'

/** Three hexadecimal digits identify the counter, six are its count; when they are used up, the next counter begins. */
const counters = 16 ** 3
const countsOfCounter = 16 ** 6

/** Minimum as published: account numbers have at least five digits. */
const minAccountDigits = 5

/**
 * The format of the key BUSINESS_ID in the "MongoDB Performance Tables": `ACC` and an account, then a rising number. The account
 * is random, so consecutive documents go to places all over the index, each after the earlier ids of its account. The number is
 * that of the document, with an offset per place in the spec: it repeats only after 16^9 documents.
 */
export const businessId = defineGenerator({
  keyword: '@businessId',
  summary: 'A text such as "ACC04217_a3f000012": an account drawn at random, and a number that grows with the row.',
  args: z.strictObject({
    prefix: z.string().max(1000).default('ACC').describe('Beginning of every id. Default "ACC".'),
    accounts: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .default(20_000)
      .describe('Number of accounts, drawn uniformly. Default 20000.'),
  }),
  example: { prefix: 'ACC', accounts: 20_000 },
  compile({ prefix, accounts }, context) {
    const stream = context.stream()
    // Each place has its own counter, as the workers of the published harness have: two may write ids to one collection.
    const ofPlace = stream.at(0).uint32()
    const accountDigits = Math.max(minAccountDigits, String(accounts - 1).length)
    return ({ n, lane }) => {
      const account = stream.at(n, lane).below(accounts).toString().padStart(accountDigits, '0')
      const first = lane === 0 ? ofPlace : mixIn(ofPlace, lane)
      const counter = (first + Math.floor(n / countsOfCounter)) % counters
      return `${prefix}${account}_${hex(counter, 3)}${hex(n % countsOfCounter, 6)}`
    }
  },
})

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
