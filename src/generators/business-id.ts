import { z } from 'zod'
import { mixIn } from '../random.ts'
import { defineGenerator } from './generator.ts'

/** Three hexadecimal digits say who counts, six count; when they are used up, the next of the three begins. */
const counters = 16 ** 3
const countsOfCounter = 16 ** 6

/** As published: five digits of account. */
const leastAccountDigits = 5

/**
 * The shape of the key named BUSINESS_ID in the "MongoDB Performance Tables": `ACC` and an account, then a number that grows.
 * The account is drawn for each row, so rows in turn go to places all over the index, each behind the earlier ids of its account.
 * That is the row, counted from a counter of the place's own: the same only for rows that are a multiple of 16^9 apart.
 */
export const businessId = defineGenerator({
  word: '@businessId',
  summary:
    'A text such as "ACC04217_a3f000012": an account drawn at random, and a number that grows with the row. Ids of an account are neighbours, no two rows have the same.',
  args: z.strictObject({
    prefix: z.string().max(1000).default('ACC').describe('What every id begins with. Default "ACC".'),
    accounts: z
      .int()
      .min(1)
      .max(1_000_000_000)
      .default(20_000)
      .describe('Number of accounts, each equally often. Default 20000.'),
  }),
  example: { prefix: 'ACC', accounts: 20_000 },
  compile({ prefix, accounts }, context) {
    const stream = context.stream()
    // As the published harness's workers, each place has a counter: two of them may give ids to one collection.
    const ofPlace = stream.at(0).uint32()
    const accountDigits = Math.max(leastAccountDigits, String(accounts - 1).length)
    return ({ n, lane }) => {
      const account = stream.at(n, lane).below(accounts).toString().padStart(accountDigits, '0')
      const first = lane === 0 ? ofPlace : mixIn(ofPlace, lane)
      const counter = (first + Math.floor(n / countsOfCounter)) % counters
      return `${prefix}${account}_${hex(counter, 3)}${hex(n % countsOfCounter, 6)}`
    }
  },
})

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')
