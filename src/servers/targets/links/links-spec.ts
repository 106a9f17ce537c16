import { z } from 'zod'
import { type Path } from '../../../core/json.ts'
import { minRttMs, type LinkedPair, nameOfEnd, type Pair, pairKey, createPairs } from './delays.ts'

const side = z.array(z.union([z.literal('client'), z.int().min(0)])).min(1)

const link = z
  .strictObject({
    from: side.describe('One side: members by their position in `members`, from 0, and "client" for everything else.'),
    to: side.describe('The other side, in the same form. Each server of one side is paired with each of the other.'),
    rttMs: z
      .number()
      .min(0)
      .max(2_000)
      .refine((rttMs) => rttMs === 0 || rttMs >= minRttMs, {
        error: `must be 0 or at least ${minRttMs}: the proxy itself costs too much of less`,
      })
      .describe(
        `Round trip that is added, in ms, 0 or ${minRttMs} to 2000, including the cost of the proxy itself: half of it each way, whichever side opens the connection. With 0 nothing is added to the cost of the proxy, which the report shows.`,
      ),
    jitterMs: z
      .number()
      .min(0)
      .max(2_000)
      .default(0)
      .describe(
        'Maximum random delay added to a round trip, in ms, 0 to 2000: uniform for each way, drawn from the seed; bytes keep their order. Default: 0.',
      ),
  })
  .refine(({ rttMs, jitterMs }) => jitterMs === 0 || rttMs > 0, {
    path: ['jitterMs'],
    error: 'needs an "rttMs" above 0',
  })
  .meta({ title: 'Link' })

/** The spec field for the delays between members, and between client and members. */
export const linksSchema = z
  .array(link)
  .optional()
  .describe(
    'Delays between members, and between client and members. A proxy in front of each member keeps them, and the configuration of the set names its address. Traffic between other pairs is not delayed. The report shows the achieved delay. Linux. Default: none.',
  )

export type LinkSpec = z.output<typeof link>

/** Lists the delays that the links of a target ask for, pair by pair. */
export const linkedPairs = (list: readonly LinkSpec[]): readonly LinkedPair[] =>
  list.flatMap((one) => createPairs(one).map(({ ends }) => toLinkedPair(ends, one)))

/** The client comes first. */
function toLinkedPair([one, other]: Pair, { rttMs, jitterMs }: LinkSpec): LinkedPair {
  if (typeof other === 'number') return { from: one, to: other, rttMs, jitterMs }
  if (typeof one === 'number') return { from: other, to: one, rttMs, jitterMs }
  throw new Error('A link of the client with itself was not refused')
}

type LinkIssue = { readonly path: Path; readonly message: string }

/** Finds issues in links of a set with a number of members. A pair that is linked twice is reported at each of its places. */
export function linkIssues(list: readonly LinkSpec[], members: number): readonly LinkIssue[] {
  const pairs = list.flatMap((one, i) => createPairs(one).map(({ ends, at }) => ({ ends, path: [i, 'to', at] })))
  return [
    ...unknownMembers(list, members),
    ...pairs
      .filter(({ ends: [one, other] }) => one === other)
      .map(({ ends: [one], path }) => ({ path, message: `${nameOfEnd(one)} would be linked with itself` })),
    ...pairs
      .filter(({ ends: [one, other] }) => one !== other)
      .filter(({ ends }, _, others) => others.filter((other) => isSamePair(ends, other.ends)).length > 1)
      .map(({ ends: [one, other], path }) => ({
        path,
        message: `${nameOfEnd(one)} and ${nameOfEnd(other)} are linked in more than one place`,
      })),
  ]
}

const isSamePair = (one: Pair, other: Pair): boolean => pairKey(...one) === pairKey(...other)

const unknownMembers = (list: readonly LinkSpec[], members: number): readonly LinkIssue[] =>
  list.flatMap((one, i) =>
    (['from', 'to'] as const).flatMap((name) =>
      one[name].flatMap((end, at) =>
        end === 'client' || end < members
          ? []
          : [{ path: [i, name, at], message: `there is no member ${end}: the set has ${members}, counted from 0` }],
      ),
    ),
  )
