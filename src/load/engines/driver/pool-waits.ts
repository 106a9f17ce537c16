import { type MongoClient } from 'mongodb'
import { type Clock } from '../../../core/clock.ts'
import { type PhaseEngine, type RecordWait } from '../engine.ts'

/**
 * Times how long calls wait for a connection, by the events of the driver: the durations in them are whole milliseconds. An
 * event does not name its call, but a pool serves calls in the order in which they came.
 */
export function timePoolWaits(
  client: Pick<MongoClient, 'on'>,
  { now }: Pick<Clock, 'now'>,
): NonNullable<PhaseEngine['watchPool']> {
  let record: RecordWait | undefined
  /** Times at which the calls that wait came, by server. */
  const since = new Map<string, number[]>()
  const end = ({ address }: { readonly address: string }): void => {
    const cameMs = since.get(address)?.shift()
    if (cameMs !== undefined) record?.(now() - cameMs)
  }
  client.on('connectionCheckOutStarted', ({ address }) => {
    const times = since.get(address)
    if (times === undefined) since.set(address, [now()])
    else times.push(now())
  })
  client.on('connectionCheckedOut', end)
  client.on('connectionCheckOutFailed', end)
  return (given) => void (record = given)
}
