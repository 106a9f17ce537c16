import { type Document } from 'bson'
import { expect, test } from 'vitest'
import { type KnownServer } from '../../../../src/servers/faults/choose-servers.ts'
import { type FaultyServer } from '../../../../src/servers/faults/fault.ts'
import { waitForHealth } from '../../../../src/servers/faults/injection/wait-for-health.ts'
import { type ServerControl } from '../../../../src/servers/targets/server/process/server-life.ts'
import { fakeClock } from '../../../fakes/fake-clock.ts'

const control = { isRunning: () => true } as ServerControl
const member = (_id: number, t = 3, ts = 100) => ({ _id, health: 1, optime: { t, ts } })
const arbiter = { _id: 2, health: 1 }
const well = { term: 3, members: [member(0), member(1), arbiter] }

/** Two servers; what they say may change while somebody waits. */
function setUp({
  roles = () => ['primary', 'secondary'],
  status = () => well,
  note = () => ({ operationTime: 100 }),
  delayed = false,
  lacksMembers = false,
  runs = () => true,
}: {
  readonly roles?: (nowMs: number) => readonly KnownServer['role'][]
  readonly status?: (nowMs: number) => Document
  readonly note?: (nowMs: number) => Document
  readonly lacksMembers?: boolean
  readonly runs?: (nowMs: number) => boolean
  /** Of the second server. */
  readonly delayed?: boolean
} = {}) {
  const clock = fakeClock()
  const stop = new AbortController()
  const servers = ['member0', 'member1'].map((name): FaultyServer => ({
    name,
    control: { ...control, isRunning: () => name === 'member0' || runs(clock.now()) },
    async command(command) {
      if ('appendOplogNote' in command) return note(clock.now())
      if ('replSetGetStatus' in command) return status(clock.now())
      return { config: { members: [{ _id: 0 }, { _id: 1, secondaryDelaySecs: delayed ? 3600 : 0 }, { _id: 2 }] } }
    },
  }))
  const known = (): readonly KnownServer[] =>
    roles(clock.now()).map((role, i) => ({ name: `member${i}`, role, term: null }))
  const wait = () => waitForHealth(servers, { clock, signal: stop.signal, known, lacksMembers })
  return { clock, stop, wait }
}

test('a set that is well is looked at twice: whether a write of now reaches everybody', async () => {
  const { clock, wait } = setUp()
  expect(await wait()).toBe(null)
  expect(clock.now()).toBe(100)
})

test.each([
  ['a primary', { roles: (ms: number) => (ms < 400 ? ['secondary', 'secondary'] : ['secondary', 'primary']) }],
  ['one primary', { roles: (ms: number) => (ms < 400 ? ['primary', 'primary'] : ['secondary', 'primary']) }],
  ['every member', { roles: (ms: number) => ['primary', ms < 400 ? undefined : 'secondary'] }],
  ['members that recover', { roles: (ms: number) => ['primary', ms < 400 ? 'other' : 'secondary'] }],
  [
    'members that the primary sees',
    { status: (ms: number) => (ms < 400 ? { ...well, members: [member(0), { ...member(1), health: 0 }] } : well) },
  ],
  ['a majority', { note: (ms: number) => (ms < 400 ? { writeConcernError: { code: 64 } } : { operationTime: 100 }) }],
] as readonly [string, Parameters<typeof setUp>[0]][])('it is waited for %s', async (_what, changes) => {
  const { clock, wait } = setUp(changes)
  expect(await wait()).toBe(null)
  expect(clock.now()).toBe(500)
})

test('a server that could not be brought back is reported at once, and when it ends meanwhile', async () => {
  const down = setUp({ runs: () => false, roles: () => ['primary', undefined] })
  expect(await down.wait()).toSay('recovery-ended', { member: 'member1' })
  expect(down.clock.now()).toBe(0)
  const later = setUp({ runs: (ms) => ms < 400, roles: () => ['primary', undefined] })
  expect(await later.wait()).toSay('recovery-ended', { member: 'member1' })
  expect(later.clock.now()).toBe(400)
})

test.each([
  ['a member that is behind', member(1, 3, 99)],
  ['a member that has gone its own way, with an older term', member(1, 2, 101)],
])('it is waited for %s', async (_what, behind) => {
  const { clock, wait } = setUp({ status: (ms) => (ms < 500 ? { ...well, members: [member(0), behind] } : well) })
  expect(await wait()).toBe(null)
  expect(clock.now()).toBe(500)
})

test('it is not waited for a member that stays behind on purpose', async () => {
  const { clock, wait } = setUp({ delayed: true, status: () => ({ ...well, members: [member(0), member(1, 1, 1)] }) })
  expect(await wait()).toBe(null)
  expect(clock.now()).toBe(100)
})

test.each([
  ['recovery-no-primary', { roles: () => ['secondary', 'secondary'] }],
  ['recovery-no-answer', { roles: () => ['primary', undefined] }],
  ['recovery-not-ready', { roles: () => ['primary', 'other'] }],
  ['recovery-no-majority', { note: () => ({ writeConcernError: { code: 64 } }) }],
] as readonly [string, Parameters<typeof setUp>[0]][])('what does not get well is told: %s', async (code, changes) =>
  expect(await setUp(changes).wait()).toSay(code),
)

test('nobody waits who wants to stop', async () => {
  const { stop, wait } = setUp({ roles: () => ['secondary', 'secondary'] })
  stop.abort()
  expect(await wait()).toBe(null)
})

test('of a set without some of its members no majority is asked', async () =>
  expect(
    await setUp({
      lacksMembers: true,
      status: () => ({ members: [{ health: 0 }] }),
      note: () => ({ writeConcernError: {} }),
    }).wait(),
  ).toBe(null))
