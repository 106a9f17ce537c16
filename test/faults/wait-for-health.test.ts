import { type Document } from 'bson'
import { expect, test } from 'vitest'
import { type KnownServer } from '../../src/faults/choose-servers.ts'
import { type FaultyServer } from '../../src/faults/fault.ts'
import { waitForHealth } from '../../src/faults/wait-for-health.ts'
import { type ServerControl } from '../../src/targets/server/server-life.ts'
import { fakeClock } from '../fakes/fake-clock.ts'

const control = {} as ServerControl
const well = { members: [{ health: 1 }, { health: 1 }] }

/** Two servers; what they say may change while somebody waits. */
function setUp({
  roles = () => ['primary', 'secondary'],
  status = () => well,
  note = () => ({}),
  lacksMembers = false,
}: {
  readonly roles?: (nowMs: number) => readonly KnownServer['role'][]
  readonly status?: (nowMs: number) => Document
  readonly note?: (nowMs: number) => Document
  readonly lacksMembers?: boolean
} = {}) {
  const clock = fakeClock()
  const stop = new AbortController()
  const servers = ['member0', 'member1'].map((name): FaultyServer => ({
    name,
    control,
    command: async (command) => ('appendOplogNote' in command ? note(clock.now()) : status(clock.now())),
  }))
  const known = (): readonly KnownServer[] =>
    roles(clock.now()).map((role, i) => ({ name: `member${i}`, role, term: null }))
  const wait = () => waitForHealth(servers, { clock, signal: stop.signal, known, lacksMembers })
  return { clock, stop, wait }
}

test('a set that is well is not waited for', async () => {
  const { clock, wait } = setUp()
  expect(await wait()).toBe(null)
  expect(clock.now()).toBe(0)
})

test.each([
  ['a primary', { roles: (ms: number) => (ms < 500 ? ['secondary', 'secondary'] : ['secondary', 'primary']) }],
  ['one primary', { roles: (ms: number) => (ms < 500 ? ['primary', 'primary'] : ['secondary', 'primary']) }],
  ['every member', { roles: (ms: number) => ['primary', ms < 500 ? undefined : 'secondary'] }],
  ['members that recover', { roles: (ms: number) => ['primary', ms < 500 ? 'other' : 'secondary'] }],
  [
    'members that the primary sees',
    { status: (ms: number) => (ms < 500 ? { members: [{ health: 1 }, { health: 0 }] } : well) },
  ],
  ['a majority', { note: (ms: number) => (ms < 500 ? { writeConcernError: { code: 64 } } : {}) }],
] as readonly [string, Parameters<typeof setUp>[0]][])('it is waited for %s', async (_what, changes) => {
  const { clock, wait } = setUp(changes)
  expect(await wait()).toBe(null)
  expect(clock.now()).toBe(500)
})

test.each([
  [{ roles: () => ['secondary', 'secondary'] }, 'there is no primary'],
  [{ roles: () => ['primary', undefined] }, 'member1 does not answer'],
  [{ roles: () => ['primary', 'other'] }, 'member1 is not ready'],
  [{ note: () => ({ writeConcernError: { code: 64 } }) }, 'writes do not reach a majority'],
] as readonly [Parameters<typeof setUp>[0], string][])(
  'what does not get well is told in the end',
  async (changes, reason) => {
    expect(await setUp(changes).wait()).toBe(`not healthy 120 s after the last fault: ${reason}`)
  },
)

test('nobody waits who wants to stop', async () => {
  const { stop, wait } = setUp({ roles: () => ['secondary', 'secondary'] })
  stop.abort()
  expect(await wait()).toBe(null)
})

test('of a set without some of its members no majority is asked', async () => {
  const { wait } = setUp({
    lacksMembers: true,
    status: () => ({ members: [{ health: 0 }] }),
    note: () => ({ writeConcernError: {} }),
  })
  expect(await wait()).toBe(null)
})
