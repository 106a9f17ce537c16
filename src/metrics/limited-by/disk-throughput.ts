import { serverColumns } from '../columns/server.ts'
import { numberText } from '../format.ts'
import { type Scope } from '../scope.ts'
import { type LimitRule, nearlyAll } from './rule.ts'

/** Bytes per second that the limits of the server allow. */
export const diskThroughput: LimitRule = {
  name: 'disk throughput',
  remedy: 'a disk with more throughput, or a cache that holds more of the data',
  finds(scope) {
    const [most] = listUses(scope).toSorted((one, other) => other.used / other.limit - one.used / one.limit)
    if (most === undefined || most.used < nearlyAll * most.limit) return null
    const { kind, used, limit } = most
    return { share: used / limit, text: `${numberText(used, 0)} of ${limit} MB/s ${kind}` }
  },
}

type Use = { readonly kind: string; readonly used: number; readonly limit: number }

function listUses(scope: Scope): readonly Use[] {
  const { readMBps = null, writeMBps = null } = scope.variant.server?.limits ?? {}
  return [
    ...createUse('read', serverColumns.diskReadMBps.value(scope), readMBps),
    ...createUse('written', serverColumns.diskWriteMBps.value(scope), writeMBps),
  ]
}

const createUse = (kind: string, used: number | null, limit: number | null): readonly Use[] =>
  used === null || limit === null ? [] : [{ kind, used, limit }]
