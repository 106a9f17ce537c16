import { sum } from '../statistics.ts'
import { inPercent, type LimitRule } from './rule.ts'

/** From this share of their time on, calls that wait for connections are no coincidence. */
const minShare = 0.1

/** Calls that wait for a connection, where nothing else is used up: more connections would have given more throughput. */
export const poolConnections: LimitRule = {
  name: 'connections of the pool',
  remedy: 'a larger "maxPoolSize" of the pool',
  finds({ phase: { pool, operations } }) {
    if (pool?.wait == null) return null
    const waitMs = pool.wait.count * pool.wait.meanMs
    const answerMs = sum(
      operations.flatMap(({ latency: { ok, failed, unknown } }) =>
        [ok, failed, unknown].map((one) => (one === null ? 0 : one.count * one.meanMs)),
      ),
    )
    const share = answerMs === 0 ? 0 : Math.min(1, waitMs / answerMs)
    if (share < minShare) return null
    return { share, text: `operations wait for one of ${pool.maxPoolSize} ${inPercent(share)} of their time` }
  },
}
