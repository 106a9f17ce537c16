import { type End, nameOfEnd, type Pair, pairKey } from './delays.ts'
import { type LinkState, type ProxyOrder } from './start-proxies.ts'

/** Condition of a link for a while. Each is identified by itself, not by its content. */
export type LinkCondition =
  | { readonly kind: Exclude<LinkState, 'open'> }
  /** Milliseconds of a round trip on top of what the link has. */
  | { readonly kind: 'delay'; readonly rttMs: number }

/** Changes links whether or not the spec delays them. Several conditions may hold at once: a cut wins over a stall, and delays add up. */
export type Conditions = {
  readonly impose: (pair: Pair, condition: LinkCondition) => Promise<void>
  /** One that was never imposed is lifted already. */
  readonly lift: (pair: Pair, condition: LinkCondition) => Promise<void>
}

/** @param send Resolves when the proxies have done it. */
export function createConditions(send: (order: ProxyOrder) => Promise<void>): Conditions {
  const imposed = new Map<string, ReadonlySet<LinkCondition>>()

  async function change(pair: Pair, conditions: ReadonlySet<LinkCondition>): Promise<void> {
    const [one, other] = pair
    imposed.set(pairKey(one, other), conditions)
    await send({ kind: 'link', one, other, state: getLinkState(conditions), rttMs: sumDelays(conditions) })
  }

  const of = ([one, other]: Pair): ReadonlySet<LinkCondition> => imposed.get(pairKey(one, other)) ?? new Set()

  return {
    impose: (pair, condition) => change(pair, new Set([...of(pair), condition])),
    lift: (pair, condition) => change(pair, new Set([...of(pair)].filter((other) => other !== condition))),
  }
}

function getLinkState(conditions: ReadonlySet<LinkCondition>): LinkState {
  const kinds = new Set([...conditions].map(({ kind }) => kind))
  return kinds.has('cut') ? 'cut' : kinds.has('stalled') ? 'stalled' : 'open'
}

const sumDelays = (conditions: ReadonlySet<LinkCondition>): number =>
  [...conditions].reduce((sum, condition) => sum + (condition.kind === 'delay' ? condition.rttMs : 0), 0)

/** Conditions of links inside of the shards of a cluster, by the names of the shards. */
export function conditionsInShards(shards: ReadonlyMap<string, Conditions>): Conditions {
  const inShard = (pair: Pair): readonly [Conditions, Pair] => {
    const names = pair.map(nameOfEnd)
    const [shard = '', ...others] = new Set(names.filter((name) => name !== 'client').map(getShardName))
    const conditions = others.length === 0 ? shards.get(shard) : undefined
    if (conditions === undefined) throw new Error(`no proxy is between ${names.join(' and ')}`)
    return [conditions, [getPosition(pair[0]), getPosition(pair[1])]]
  }
  const passOn =
    (change: keyof Conditions): Conditions['impose'] =>
    async (pair, condition) => {
      const [conditions, ends] = inShard(pair)
      await conditions[change](ends, condition)
    }
  return { impose: passOn('impose'), lift: passOn('lift') }
}

const getShardName = (name: string): string => name.slice(0, name.indexOf('/'))

const getPosition = (end: End): End => (end === 'client' ? end : Number(nameOfEnd(end).split('member')[1]))
