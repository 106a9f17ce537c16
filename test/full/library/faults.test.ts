import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type PhaseResult, type Result, run, type RunEvent, type SpecInput } from '../../../src/entries/index.ts'
import { type FaultNews } from '../../../src/servers/faults/injection/inject-faults.ts'
import { startTarget, targetSpec } from '../../../src/servers/targets/index.ts'
import { startContext } from '../../contract/support/start-context.ts'
import { fail } from '../../fakes/fail.ts'

const env = { ...process.env, MONGOMS_SYSTEM_BINARY: inject('mongodPath') }

/** Elections within some seconds, also where votes are split at first, and an end within one. */
const quickSet = {
  kind: 'replicaSet',
  members: 3,
  settings: { electionTimeoutMs: 2_000, heartbeatIntervalMs: 400 },
  server: { setParameters: { shutdownTimeoutMillisForSignaledShutdown: 100 } },
}

/** Seconds in which an election comes to its end on a busy machine too. */
const long = 10
const longer = { stopAfter: { seconds: 13 } }

const events = { collection: 'events', document: { _id: { '@row': {} } } }

/** Enough calls to notice every fault, and few enough to leave the machine to the servers. */
const steady = { kind: 'open', ratePerSecond: 50, maxInFlight: 20 }
/** As many as the servers can answer. */
const closed = { load: { kind: 'closed', workers: 2 } }

/** A phase that inserts while a fault happens after a second. */
const hurt = (name: string, fault: object, parts: object = {}) => ({
  name,
  load: steady,
  stopAfter: { seconds: 5 },
  deadlineSeconds: 5,
  retries: 'driver',
  operations: [{ kind: 'insertOne' }],
  faults: [{ atSeconds: 1, ...fault }],
  ...parts,
})

const phaseOf = ({ variants }: Result, name: string): PhaseResult =>
  variants[0]?.phases.find((phase) => phase.name === name) ?? fail(`no phase ${name}`)

/** The only time that the only fault of a phase happened. */
function onceIn(result: Result, name: string) {
  const [occurrence, ...others] = phaseOf(result, name).faults[0]?.occurrences ?? []
  expect(others).toEqual([])
  return occurrence ?? fail(`Nothing happened in ${name}`)
}

const primariesIn = (result: Result, name: string) => phaseOf(result, name).elections?.primaries ?? []

/** That somebody else was elected, in a later term and after a time without a primary, or at once. */
function expectNewPrimary(result: Result, name: string): void {
  const { targets, primaryBefore, termBefore, beganAtSeconds } = onceIn(result, name)
  const primaries = primariesIn(result, name)
  expect(primaries[0]?.atSeconds).toBe(0)
  // On a busy machine it may seem to say nothing for a moment before, or another one may be elected.
  const then = primaries.findLast(({ atSeconds, member }) => atSeconds <= beganAtSeconds && member !== null)
  expect(then).toMatchObject({ member: primaryBefore, term: termBefore })
  const next = primaries.find(({ term }) => (term ?? 0) > (termBefore ?? Infinity)) ?? fail(`no election in ${name}`)
  expect(next.member).not.toBe(primaryBefore)
  expect(next.atSeconds).toBeGreaterThan(beganAtSeconds)
  expect(targets).toContain(primaryBefore)
}

const told: FaultNews[] = []
const listen = (event: RunEvent): void => void (event.kind === 'fault' && told.push(event.news))

describe('a set of ours that is hurt', () => {
  let result: Result

  beforeAll(async () => {
    result = await run(
      {
        name: 'hurt',
        target: quickSet,
        data: events,
        phases: [
          hurt('killed', { kind: 'kill', forSeconds: long }, longer),
          hurt('ended', { kind: 'terminate', forSeconds: 2 }, closed),
          hurt('paused', { kind: 'pause', forSeconds: long }, longer),
          hurt('handed', { kind: 'stepDown' }, closed),
          hurt(
            'failing',
            { kind: 'kill', target: ['member0', 'member0'], name: 'twice', forSeconds: 1 },
            // Until the new process has been asked how it does.
            { stopAfter: { seconds: 15 }, retries: 'none' },
          ),
          hurt('quiet', {}, { ...closed, faults: [], stopAfter: { operations: 5 } }),
        ],
      } as SpecInput,
      { env, onProgress: listen },
    )
  }, 600_000)

  test('goes through all of it to the end', () => {
    expect(result.variants[0]).toMatchObject({ status: 'done', server: { topology: 'replica set of 3' } })
    for (const { endedBecause, warnings } of result.variants[0]?.phases ?? []) {
      expect(['seconds', 'operations']).toContain(endedBecause)
      expect(warnings.map(({ code }) => code)).not.toContain('fault-failed')
    }
  })

  test.each(['killed', 'ended'])('%s, has another primary, and the member back', (name) => {
    const once = onceIn(result, name)
    expectNewPrimary(result, name)
    expect(once.targets).toEqual([once.primaryBefore])
    expect(once).toMatchObject({ plannedAtSeconds: 1, error: null })
    expect(once.undoneAtSeconds).toBeGreaterThanOrEqual(once.plannedUndoSeconds ?? Infinity)
  })

  test('paused, has another primary, and the member back with the same process', () => {
    expectNewPrimary(result, 'paused')
    expect(onceIn(result, 'paused')).toMatchObject({ plannedUndoSeconds: 1 + long, error: null })
    expect(phaseOf(result, 'paused').members.filter(({ restarted }) => restarted)).toEqual([])
  })

  test('handed over, has another primary at once, and nothing to undo', () => {
    expectNewPrimary(result, 'handed')
    expect(onceIn(result, 'handed')).toMatchObject({ plannedUndoSeconds: null, undoneAtSeconds: null, error: null })
  })

  test('goes on after every fault: the last second of each phase has writes', () => {
    for (const { operations, name } of result.variants[0]?.phases ?? [])
      expect({ name, ok: (operations[0]?.ok ?? 0) > 0 }).toEqual({ name, ok: true })
    const all = result.variants[0]?.phases.flatMap(({ elections }) => elections?.rollbackIds ?? []) ?? []
    expect(all.every(({ before, after }) => before !== null && after !== null && after >= before)).toBe(true)
  })

  test('a server that words name twice is met once', () => {
    expect(onceIn(result, 'failing')).toMatchObject({ targets: ['member0'], error: null })
  })

  test('tells of a member that was another process in the end', () => {
    const restarted = phaseOf(result, 'failing').members.filter((member) => member.restarted)
    expect(restarted.map(({ member }) => member)).toEqual(['member0'])
  })

  test('says what was repeated by the driver, and tells of no fault where there was none', () => {
    expect(phaseOf(result, 'killed').retries).toBe('driver')
    expect(phaseOf(result, 'quiet')).toMatchObject({ faults: [], elections: null })
  })

  test('tells of every fault while it happens', () => {
    const ofFirst = told.filter(({ phase }) => phase === 'killed')
    expect(ofFirst.map(({ what, name }) => [what, name])).toEqual([
      ['done', 'kill'],
      ['undone', 'kill'],
    ])
  })
})

describe.runIf(process.platform === 'linux')('a set of ours with proxies for its faults', () => {
  let result: Result

  beforeAll(async () => {
    // Not "secondaries": those that seem to say nothing at that moment would be left out.
    const apart = { groups: [['primary'], ['all']], forSeconds: long }
    result = await run(
      {
        name: 'apart',
        target: quickSet,
        data: events,
        phases: [
          hurt('cut', { kind: 'partition', ...apart }, { ...longer, writeConcern: { w: 1 } }),
          hurt('stalled', { kind: 'partition', how: 'stall', ...apart }, longer),
          hurt(
            'slow',
            { kind: 'delay', links: [{ from: ['client'], to: ['primary'] }], rttMs: 200, forSeconds: 6 },
            { stopAfter: { seconds: 8 } },
          ),
          hurt(
            'refusing',
            {
              kind: 'failPoint',
              failPoint: 'failCommand',
              data: { failCommands: ['insert'], errorCode: 2 },
              forSeconds: 3,
            },
            { stopAfter: { seconds: 7 } },
          ),
          hurt('full', { kind: 'fileSizeLimit', forSeconds: long }, longer),
          hurt(
            'soaked',
            {},
            {
              stopAfter: { seconds: 12 },
              faults: [
                {
                  kind: 'random',
                  atSeconds: 1,
                  everySeconds: 5,
                  forSeconds: { min: 1, max: 2 },
                  of: [
                    { kind: 'kill', target: 'any' },
                    { kind: 'stepDown' },
                    { kind: 'partition', groups: [['minority'], ['all', 'client']] },
                  ],
                },
              ],
            },
          ),
        ],
      } as SpecInput,
      { env },
    )
  }, 600_000)

  test('has them because of its faults, and nothing delayed by them', () => {
    expect(result.variants[0]).toMatchObject({ status: 'done', server: { links: { pairs: [] } } })
    expect(result.variants[0]?.commands.filter((line) => line.startsWith('# proxy'))).toHaveLength(3)
    expect(result.variants[0]?.commands[1]).toContain('--setParameter=enableTestCommands=1')
  })

  test.each(['cut', 'stalled'])('%s in two, has a new primary on the larger side, and is one again', (name) => {
    expectNewPrimary(result, name)
    const { targets, error } = onceIn(result, name)
    expect({ targets: targets.toSorted(), error }).toEqual({ targets: ['member0', 'member1', 'member2'], error: null })
  })

  test('cut in two, loses what its old primary alone had acknowledged', () => {
    const { primaryBefore, undoneAtSeconds } = onceIn(result, 'cut')
    const { primaries = [], rollbackIds = [] } = phaseOf(result, 'cut').elections ?? {}
    const next = primaries.find(({ member }) => member !== null && member !== primaryBefore)
    const rolledBack = rollbackIds.filter(({ before, after }) => (after ?? 0) > (before ?? 0))
    // All of it, so that a failure shows what happened instead.
    expect({
      primaries,
      rollbackIds,
      undoneAtSeconds,
      electedApart: (next?.atSeconds ?? Infinity) < (undoneAtSeconds ?? 0),
      rolledBack: rolledBack.map(({ member }) => member),
    }).toEqual({ primaries, rollbackIds, undoneAtSeconds, electedApart: true, rolledBack: [primaryBefore] })
  })

  test('made slow, answers no sooner than the link lets it', () => {
    const { targets, primaryBefore, doneAtSeconds, plannedUndoSeconds } = onceIn(result, 'slow')
    const { p50Ms = [] } = phaseOf(result, 'slow').operations[0]?.perSecond ?? {}
    // The seconds in which the link was slow from beginning to end.
    const slow = p50Ms.slice(Math.ceil(doneAtSeconds), plannedUndoSeconds ?? 0).flatMap((ms) => ms ?? [])
    expect(slow.length).toBeGreaterThan(0)
    expect(Math.min(...slow)).toBeGreaterThan(190)
    expect(targets).toEqual([primaryBefore])
  })

  test('told to refuse, refuses for a while, and the report knows why', () => {
    const { operations, warnings } = phaseOf(result, 'refusing')
    expect(operations[0]?.errors.map(({ code }) => code)).toContain('2')
    const { undoneAtSeconds } = onceIn(result, 'refusing')
    const later = operations[0]?.perSecond.ok.slice(Math.ceil(undoneAtSeconds ?? Infinity)) ?? []
    expect(later.reduce((sum, ok) => sum + ok, 0)).toBeGreaterThan(0)
    expect(warnings.map(({ code }) => code)).toContain('test-commands')
  })

  test('whose primary may not write any file, elects another, and has it back', () => {
    expectNewPrimary(result, 'full')
    expect(onceIn(result, 'full')).toMatchObject({ plannedUndoSeconds: 1 + long, error: null })
  })

  test('goes through faults by chance', () => {
    const [fault] = phaseOf(result, 'soaked').faults
    expect(fault?.occurrences.length).toBeGreaterThanOrEqual(2)
    for (const { kind, error } of fault?.occurrences ?? []) {
      expect(['kill', 'stepDown', 'partition']).toContain(kind)
      expect(error).toBe(null)
    }
  })
})

test('a server that others run steps down where that is allowed', async () => {
  await using context = await startContext()
  await using target = await startTarget(targetSpec.parse(quickSet), context)
  const spec = {
    name: 'foreign',
    data: events,
    phases: [hurt('handed', { kind: 'stepDown' }, closed)],
  } as SpecInput
  await expect(run(spec, { uri: target.uri })).rejects.toMatchObject({ code: 'refused' })
  const result = await run(spec, { uri: target.uri, allowStepDown: true })
  expectNewPrimary(result, 'handed')
  expect(onceIn(result, 'handed').error).toBe(null)
})

test('a server alone is killed and comes back, without a word of elections', async () => {
  const result = await run(
    { name: 'alone', data: events, phases: [hurt('killed', { kind: 'kill', forSeconds: 1 }, closed)] } as SpecInput,
    { env },
  )
  expect(onceIn(result, 'killed')).toMatchObject({ targets: ['member0'], error: null, termBefore: null })
  expect(phaseOf(result, 'killed').elections).toBe(null)
})

test('a fault of a phase that is not measured counts for checks too: what was not in the journal may go with it', async () => {
  const killed = { measured: false, load: { kind: 'closed', workers: 16 }, writeConcern: { w: 1 } }
  const { variants } = await run(
    {
      name: 'unmeasured',
      data: events,
      phases: [
        hurt('killed', { kind: 'kill', forSeconds: 1 }, killed),
        hurt('quiet', {}, { ...closed, faults: [], stopAfter: { operations: 5 } }),
      ],
      checks: [{ kind: 'acknowledgedWritesSurvive', operation: 'killed.insertOne' }],
    } as SpecInput,
    { env },
  )
  const [check = fail('no check')] = variants[0]?.checks ?? []
  const lost = check.measures['lost'] ?? fail('Nothing was counted')
  expect(check.status).toBe(lost > 0 ? 'allowed' : 'held')
  expect(check.reason?.includes('servers were killed') ?? false).toBe(lost > 0)
})

const stop = new AbortController()
afterAll(() => stop.abort())

test('a run that is stopped while a member is down has it back, and keeps what it knows', async () => {
  const result = await run(
    {
      name: 'stopped',
      target: quickSet,
      data: events,
      phases: [hurt('killed', { kind: 'kill', target: 'secondary' }, { ...closed, stopAfter: { seconds: 600 } })],
    } as SpecInput,
    {
      env,
      signal: stop.signal,
      onProgress: (event) => void (event.kind === 'fault' && event.news.what === 'done' && stop.abort()),
    },
  )
  expect(result.status).toBe('aborted')
  const once = onceIn(result, 'killed')
  expect(once).toMatchObject({ plannedUndoSeconds: 600, error: null })
  expect(once.undoneAtSeconds).toBeGreaterThan(once.doneAtSeconds)
})
