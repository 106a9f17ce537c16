import { groupDigits } from '../../core/quantities.ts'
import { rate, total } from '../columns/from-metrics.ts'
import { serverColumns } from '../columns/server.ts'
import { type Scope } from '../scope.ts'
import { inPercent, type LimitFinding, type LimitRule, nearlyAll } from './rule.ts'

/** From here on the cores of the host wait for the disk more than they work. */
const minIoWait = 0.5

/** Reads and writes per second that the limits of the server allow, or that its disk can do. */
export const diskIops: LimitRule = {
  name: 'disk IOPS',
  remedy: 'a disk with more operations per second, or a cache that holds more of the data',
  finds: (scope) => ofItsLimit(scope) ?? ofItsDisk(scope),
}

function ofItsLimit(scope: Scope): LimitFinding | null {
  const { readIops = null, writeIops = null } = scope.variant.server?.limits ?? {}
  const [most] = [
    ...createFinding('reads/s', rate(['diskReads']).value(scope), readIops),
    ...createFinding('writes/s', rate(['diskWrites']).value(scope), writeIops),
  ].toSorted((one, other) => other.share - one.share)
  return most === undefined || most.share < nearlyAll ? null : most
}

const createFinding = (kind: string, used: number | null, limit: number | null): readonly LimitFinding[] =>
  used === null || limit === null
    ? []
    : [{ share: used / limit, text: `${groupDigits(Math.round(used))} of ${groupDigits(limit)} ${kind}` }]

function ofItsDisk(scope: Scope): LimitFinding | null {
  const busy = (total(scope, ['diskIoMs']) ?? 0) / 1000 / scope.phase.wallSeconds
  const waiting = (serverColumns.ioWaitPercent.value(scope) ?? 0) / 100
  const known = serverColumns.diskIops.value(scope)
  const iops = known === null ? '' : `, ${groupDigits(Math.round(known))} IOPS`
  if (busy >= nearlyAll) return { share: busy, text: `disk ${inPercent(busy)} busy${iops}` }
  return waiting < minIoWait ? null : { share: waiting, text: `waiting for I/O ${inPercent(waiting)}${iops}` }
}
