import { expect, test } from 'vitest'
import { type Deployment, computeDeploymentIdentity } from '../../../src/run/agents/deployment-identity.ts'

const aSet = (processId: string, ...hosts: readonly string[]): Deployment => ({
  hello: async () => ({ setName: 'rs', hosts: ['a:1', 'b:1'], topologyVersion: { processId } }),
  configVersion: () => Promise.reject(new Error('not asked')),
  hosts: () => hosts,
})

const denied = (): Promise<never> => Promise.reject(Object.assign(new Error('not authorized on config'), { code: 13 }))

const cluster = (configVersion: Deployment['configVersion'], ...hosts: readonly string[]): Deployment => ({
  // Each router is a process of its own.
  hello: async () => ({ msg: 'isdbgrid', topologyVersion: { processId: hosts[0] } }),
  configVersion,
  hosts: () => hosts,
})

const withId = (clusterId: string) => async () => ({ clusterId })

test('a replica set is the same wherever it is reached from, and another one with another primary', async () => {
  const one = await computeDeploymentIdentity(aSet('p', 'a:1'))
  expect(await computeDeploymentIdentity(aSet('p', 'b:1'))).toBe(one)
  expect(await computeDeploymentIdentity(aSet('q', 'a:1'))).not.toBe(one)
})

test('a sharded cluster is known by its id, whichever router is asked', async () => {
  const one = await computeDeploymentIdentity(cluster(withId('x'), 'r1:1'))
  expect(await computeDeploymentIdentity(cluster(withId('x'), 'r2:1'))).toBe(one)
  expect(await computeDeploymentIdentity(cluster(withId('y'), 'r1:1'))).not.toBe(one)
})

test('a sharded cluster whose id a user may not read is known by the routers of the URI', async () => {
  const one = await computeDeploymentIdentity(cluster(denied, 'r1:1', 'r2:1'))
  expect(await computeDeploymentIdentity(cluster(denied, 'r2:1', 'r1:1'))).toBe(one)
  expect(await computeDeploymentIdentity(cluster(denied, 'r1:1'))).not.toBe(one)
  expect(await computeDeploymentIdentity(cluster(async () => null, 'r1:1', 'r2:1'))).toBe(one)
})

test('what else goes wrong is not taken for another deployment', async () => {
  const failure = new Error('no primary')
  const computed = computeDeploymentIdentity(cluster(() => Promise.reject(failure), 'r1:1'))
  await expect(computed).rejects.toBe(failure)
})
