import { setImmediate } from 'node:timers/promises'
import {
  MongoClient,
  MongoNetworkError,
  type ServerHeartbeatFailedEvent,
  type TopologyDescriptionChangedEvent,
} from 'mongodb'
import { expect, test } from 'vitest'
import { findObstacle } from '../../../../src/servers/targets/existing/unreached.ts'

const hosts = ['127.0.0.1:1', '127.0.0.1:2'] as const

/** A client that never connects, with the events of one that does. */
function watched() {
  const client = new MongoClient(`mongodb://${hosts.join(',')}/?tls=true`)
  const obstacles: string[] = []
  void findObstacle(client).then(({ hint }) => obstacles.push(hint))
  const newDescription = { servers: new Map(hosts.map((host) => [host, {}])) }
  client.emit('topologyDescriptionChanged', { newDescription } as unknown as TopologyDescriptionChangedEvent)
  return {
    obstacles,
    async fails(host: string, code: string) {
      const cause = Object.assign(new Error('no'), { code })
      const event = { connectionId: host, failure: new MongoNetworkError('no', { cause }), duration: 1, awaited: false }
      client.emit('serverHeartbeatFailed', event as ServerHeartbeatFailedEvent)
      await setImmediate()
    },
  }
}

test('a server whose certificate is not accepted is waited for no longer, unless another may answer', async () => {
  const { obstacles, fails } = watched()
  await fails(hosts[0], 'CERT_HAS_EXPIRED')
  await fails(hosts[0], 'CERT_HAS_EXPIRED')
  expect(obstacles).toEqual([])
  await fails(hosts[1], 'SELF_SIGNED_CERT_IN_CHAIN')
  expect(obstacles).toEqual([expect.toSay('hint-certificate-not-accepted')])
})
