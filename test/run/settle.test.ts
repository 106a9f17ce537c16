import { type Db, Timestamp } from 'mongodb'
import { expect, test } from 'vitest'
import { type AskSet, listSets, settle } from '../../src/run/settle.ts'
import { fail } from '../fakes/fail.ts'
import { fakeClock } from '../fakes/fake-clock.ts'

const ts = (seconds: number) => ({ ts: new Timestamp({ t: seconds, i: 1 }) })

/** A set whose secondary is behind for so many looks. */
function lagging(looks: number): AskSet {
  let left = looks
  return async () => {
    const secondary = { stateStr: 'SECONDARY', optime: ts(left-- > 0 ? 1 : 2) }
    return { members: [{ stateStr: 'PRIMARY', optime: ts(2) }, secondary] }
  }
}

const router: AskSet = () => Promise.reject(new Error('replSetGetStatus is not supported through mongos'))

const context = { clock: fakeClock(), signal: new AbortController().signal }

const settled = (...sets: readonly AskSet[]) => settle({} as Db, { ...context, mayWrite: false, sets })

test('every set is waited for, whichever of them is the slowest', async () => {
  expect(await settled(lagging(0), lagging(5))).toEqual([])
  expect(await settled(lagging(0), lagging(Infinity))).toMatchObject([{ code: 'not-settled' }])
  expect(await settled(router)).toEqual([])
})

/** A server that refuses commands. */
const refusing = (codeName: string): Db => {
  const command = () => Promise.reject(Object.assign(new Error(codeName), { codeName }))
  return { client: { db: () => ({ command }) } } as unknown as Db
}

const adviceOn = async (db: Db) => (await settle(db, { ...context, mayWrite: true, sets: [] }))[0]?.advice

test('a server that knows no checkpoints is not said to lack a role', async () => {
  expect(await adviceOn(refusing('CommandNotFound'))).toSay('no-checkpoint-known')
  expect(await adviceOn(refusing('Unauthorized'))).toContain('hostManager')
})

const member = (name: string) => ({ name, host: '127.0.0.1:1', limits: null, directIO: false })

test('of a cluster of ours each shard is asked, and not the router', async () => {
  const db = { client: { db: () => ({ command: async () => ({ asked: 'the target' }) }) } } as unknown as Db
  const members = ['shard0/member0', 'shard0/member1', 'shard1/member0'].map(member)
  const [target = fail('no set'), ...others] = listSets({ members }, db)
  expect(others).toEqual([])
  expect(await target({ hello: 1 })).toEqual({ asked: 'the target' })
  expect(listSets({ members, besides: [{ name: 'router0', host: '127.0.0.1:2', role: 'router' }] }, db)).toHaveLength(2)
})
