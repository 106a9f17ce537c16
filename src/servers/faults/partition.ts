import { z } from 'zod'
import { linkEnds } from './choose-servers.ts'
import { defineFault, lasting } from './fault.ts'
import { imposeOn, pairsAcross, pairsOfLinks, linkSelectors } from './links-between.ts'

const group = linkEnds

/** The spec field for links, each between two groups of servers or clients. */
export const links = z
  .array(
    z
      .strictObject({
        from: linkEnds.describe('One side: selectors of servers, and "client" for everything else.'),
        to: linkEnds.describe('The other side, in the same form: all of its servers are linked with all of `from`.'),
      })
      .meta({ title: 'FaultLink' }),
  )
  .min(1)

/** The fault that cuts network links for a while. */
export const partition = defineFault({
  kind: 'partition',
  summary:
    'Cuts links between members, or between client and members, and opens them again. The target puts a proxy in front of each member for it. Linux.',
  timing: lasting,
  fields: {
    groups: z
      .array(group)
      .min(2)
      .optional()
      .describe(
        'Links between groups are cut, links inside a group stay; servers in no group keep all links. A group lists selectors of servers, or "client"; a member that two groups name belongs to the first: `[["minority"], ["all"]]` cuts a minority off from the rest.',
      ),
    links: links.optional().describe('The links that are cut, one by one, instead of groups.'),
    how: z
      .enum(['cut', 'stall'])
      .default('cut')
      .describe(
        '"cut": connections end, and new ones end at once. "stall": nothing arrives until it is over; then everything that was sent arrives. Default: "cut".',
      ),
  },
  example: { groups: [['minority'], ['all', 'client']], how: 'stall', atSeconds: 10, forSeconds: 15 },
  takenBy: ['replicaSet', 'sharded'],
  needs: ['proxies'],
  selectors: ({ groups = [], links: list = [] }) => [
    ...groups.flatMap((selectors, i) => selectors.map((selector, at) => ({ path: ['groups', i, at], selector }))),
    ...linkSelectors(list),
  ],
  check({ groups, links: list }, path, report) {
    if ((groups === undefined) === (list === undefined)) report(path, 'takes either "groups" or "links"')
  },
  async begin({ groups, links: list = [], how }, context) {
    const pairs = groups === undefined ? await pairsOfLinks(list, context) : await pairsAcross(groups, context)
    await imposeOn(pairs, { kind: how === 'cut' ? 'cut' : 'stalled' }, context)
  },
})
