import { z } from 'zod'
import { defineFault, lasting } from './fault.ts'
import { imposeOn, pairsOfLinks, linkSelectors } from './links-between.ts'
import { links } from './partition.ts'

/** The fault that adds a round-trip time to links for a while. */
export const delay = defineFault({
  kind: 'delay',
  summary:
    'Makes links slower for a while, in addition to the delays of the target. The target puts a proxy in front of each member for it. Linux.',
  timing: lasting,
  fields: {
    links: links.describe('The links that get slower.'),
    rttMs: z.number().min(1).max(60_000).describe('Round trip that is added, in ms, 1 to 60000: half of it each way.'),
  },
  example: { links: [{ from: ['client'], to: ['primary'] }], rttMs: 100, atSeconds: 10, forSeconds: 15 },
  takenBy: ['replicaSet', 'sharded'],
  needs: ['proxies'],
  selectors: ({ links: list }) => linkSelectors(list),
  async begin({ links: list, rttMs }, context) {
    const pairs = await pairsOfLinks(list, context)
    await imposeOn(pairs, { kind: 'delay', rttMs }, context)
  },
})
