import { type LinkCondition } from '../targets/links/conditions.ts'
import { type End, pairKey, type Pair } from '../targets/links/delays.ts'
import { type ServerSelectors } from './choose-servers.ts'
import { type FaultContext, type SelectorAtPath } from './fault.ts'

/** Ends of links by words: each of one side with each of the other. */
export type LinkSelectors = { readonly from: ServerSelectors; readonly to: ServerSelectors }

/** Every place of a word in a list of links. */
export const linkSelectors = (links: readonly LinkSelectors[]): readonly SelectorAtPath[] =>
  links.flatMap((link, i) =>
    (['from', 'to'] as const).flatMap((side) =>
      link[side].map((selector, at) => ({ path: ['links', i, side, at], selector })),
    ),
  )

/** The pairs that words stand for now. An end that is on both sides has no link with itself. */
export async function pairsOfLinks(links: readonly LinkSelectors[], context: FaultContext): Promise<readonly Pair[]> {
  const pairs: Pair[] = []
  for (const { from, to } of links) {
    const ones = await findEnds(from, context)
    const others = await findEnds(to, context)
    pairs.push(...crossed(ones, others))
  }
  return withoutRepeats(pairs)
}

/** The pairs of ends in different groups. An end belongs to the first group that names it. */
export async function pairsAcross(groups: readonly ServerSelectors[], context: FaultContext): Promise<readonly Pair[]> {
  const found: (readonly End[])[] = []
  for (const selectors of groups) {
    const earlier = new Set(found.flat())
    found.push((await findEnds(selectors, context)).filter((end) => !earlier.has(end)))
  }
  return found.flatMap((group, i) => found.slice(i + 1).flatMap((other) => crossed(group, other)))
}

/**
 * Holds until the fault is undone.
 * @throws where there is no link to change: then the fault would have no target.
 */
export async function imposeOn(
  pairs: readonly Pair[],
  condition: LinkCondition,
  { links, onUndo }: FaultContext,
): Promise<void> {
  if (links === undefined) throw new Error('There are no proxies that could change a link')
  if (pairs.length === 0) throw new Error('no link was met: its words stood for the same server on both sides')
  const { impose, lift } = links.conditions
  onUndo(async () => void (await Promise.all(pairs.map((pair) => lift(pair, condition)))))
  await Promise.all(pairs.map((pair) => impose(pair, condition)))
}

const crossed = (ones: readonly End[], others: readonly End[]): readonly Pair[] =>
  ones.flatMap((one) => others.filter((other) => other !== one).map((other): Pair => [one, other]))

const withoutRepeats = (pairs: readonly Pair[]): readonly Pair[] => [
  ...new Map(pairs.map((pair) => [pairKey(...pair), pair])).values(),
]

async function findEnds(selectors: ServerSelectors, { find }: FaultContext): Promise<readonly End[]> {
  const servers = selectors.every((selector) => selector === 'client') ? [] : await find(selectors)
  const members = servers.map(({ name }) => parseEnd(name))
  return selectors.includes('client') ? ['client', ...members] : members
}

/** A cluster names the set of a member before its position. */
function parseEnd(server: string): End {
  const [set, position] = server.split('member')
  return set === '' ? Number(position) : `${set?.replace(/\/$/, '')}/member${Number(position)}`
}
