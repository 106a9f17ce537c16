import { type PhaseResult, type Result } from '../../src/results/schema.ts'
import { type StepResult } from '../../src/results/schema/calls.ts'
import { fakeLatency, fakeOperation, fakePhase, fakeRandom, fakeResult, fakeTimes, fakeVariant } from './fake-result.ts'

/** Results whose reports compute: pivots, groups, transposed tables, sentences with figures, single calls. */

const modes = [
  { label: 'SAFE', value: { w: 1, j: false }, totalMs: 21 },
  { label: 'ACKNOWLEDGED', value: { w: 1, j: false }, totalMs: 22 },
  { label: 'JOURNALED', value: { w: 1, j: true }, totalMs: 187 },
  { label: 'REPLICAS_SAFE', value: { w: 2, wtimeoutMS: 10_000 }, totalMs: 262 },
  { label: 'MAJORITY', value: { w: 'majority', wtimeoutMS: 10_000 }, totalMs: 271 },
] as const

const modesReport = {
  let: {
    group: { '@cluster': { of: { '@metric': 'wallMs' }, names: ['fastest', 'mid', 'slowest'] } },
    ratio: {
      '@divide': [
        { '@metric': { of: 'wallMs', at: { idFrom: 'client', mode: 'MAJORITY' } } },
        { '@metric': { of: 'wallMs', at: { idFrom: 'client', mode: 'SAFE' } } },
      ],
    },
    nothing: { '@metric': { of: 'foundPercent', at: { idFrom: 'client', mode: 'SAFE' } } },
  },
  tables: [
    {
      title: 'Modes',
      columns: [
        { row: 'letter' },
        { parameter: 'mode', title: 'Mode' },
        { value: { '@param': 'mode' }, title: 'Setting today' },
        { metric: 'wallMs', at: { idFrom: 'client' }, title: 'Total for 100, client id (ms)' },
        { metric: 'wallMs', at: { idFrom: 'server' }, title: 'Total for 100, server id (ms)' },
        { metric: 'meanMs', at: { idFrom: 'client' } },
        {
          value: {
            '@divide': [
              { '@metric': { of: 'wallMs', at: { idFrom: 'server' } } },
              { '@metric': { of: 'wallMs', at: { idFrom: 'client' } } },
            ],
          },
          at: { idFrom: 'client' },
          title: 'Server to client id',
        },
        { value: { '@var': 'group' }, at: { idFrom: 'client' }, title: 'Group' },
      ],
    },
    {
      title: 'Slow runs',
      rows: 'runs',
      where: { '@and': [{ '@eq': [{ '@param': 'mode' }, 'MAJORITY'] }, { '@gt': [{ '@metric': 'wallMs' }, 200] }] },
      columns: [
        { parameter: 'mode', title: 'Mode' },
        { parameter: 'idFrom', title: '_id from' },
        { row: 'run' },
        'wallMs',
      ],
    },
  ],
  charts: [
    {
      title: 'Write Concern - All Modes',
      kind: 'line',
      rows: 'runs',
      x: { row: 'run' },
      y: ['wallMs'],
      series: [{ parameter: 'mode' }],
      where: { '@eq': [{ '@param': 'idFrom' }, 'client'] },
    },
    {
      title: 'Cluster 1 - Fastest',
      kind: 'line',
      rows: 'runs',
      x: { row: 'run' },
      y: ['wallMs'],
      series: [{ parameter: 'mode' }],
      where: {
        '@and': [{ '@eq': [{ '@param': 'idFrom' }, 'client'] }, { '@eq': [{ '@var': 'group' }, 'fastest'] }],
      },
    },
  ],
  analysis: ['A majority takes {{ratio}} times as long as one member; of what was found, {{nothing}}.'],
}

export function writeConcernModes(): Result {
  const random = fakeRandom(23)
  const rows = (['client', 'server'] as const).flatMap((idFrom) => modes.map((mode) => ({ idFrom, ...mode })))
  return fakeResult({
    spec: {
      name: 'write-concern-modes',
      title: 'Write Concern - All Modes',
      description: '100 inserts, one after the other.',
      repeat: { times: 4, startUpRuns: 1 },
      varied: ['idFrom', 'mode'],
      report: modesReport as never,
      thresholds: ['wallMs < 250', 'errors == 0'],
      effective: {
        variants: { idFrom: ['client', 'server'], mode: modes.map(({ label, value }) => ({ label, value })) },
      },
    },
    variants: [1, 2, 3, 4].flatMap((run) =>
      rows.map(({ idFrom, label, value, totalMs }, row) => {
        const wallSeconds = Number(
          ((totalMs / 1000) * (run === 1 ? 1.8 : 0.93 + 0.14 * random()) * (idFrom === 'server' ? 0.96 : 1)).toFixed(5),
        )
        const times = fakeTimes(random, 100, wallSeconds * 9.4, 0.2)
        const insert = fakeOperation({
          name: 'insertOne',
          kind: 'insertOne',
          ok: 100,
          documents: 100,
          inserted: 100,
          seconds: 1,
          latency: { ok: fakeLatency(times), failed: null, unknown: null },
        })
        return fakeVariant({
          row,
          run,
          startUp: run === 1,
          label: `idFrom ${idFrom}, mode ${label}`,
          parameters: { inserts: { value: 100 }, idFrom: { value: idFrom }, mode: { value, label } },
          phases: [
            fakePhase({
              name: 'insert',
              workers: 1,
              wallSeconds,
              writeConcern: value,
              endedBecause: 'operations',
              operations: [insert],
              members: [],
            }),
          ],
        })
      }),
    ),
  })
}

const settings = [
  { label: 'w=1', medianMs: 0.13, width: 0.12 },
  { label: 'j=1 (spinning disk)', medianMs: 34.2, width: 0.004 },
  { label: 'j=1 (SSD)', medianMs: 11.2, width: 0.01 },
  { label: 'w=3', medianMs: 311, width: 0.6 },
] as const

export function writeConcernLatency(): Result {
  const random = fakeRandom(31)
  return fakeResult({
    spec: {
      name: 'write-concern-latency',
      title: 'Raw results of single inserts',
      description: '200 inserts for each setting, one after the other.',
      varied: ['writeConcern'],
      report: {
        tables: [
          {
            title: 'Raw results',
            transpose: true,
            columns: [
              { parameter: 'label', title: '' },
              { metric: 'meanMs', title: 'Average (ms)' },
              { metric: 'minMs', title: 'Min (ms)' },
              { metric: 'maxMs', title: 'Max (ms)' },
              { metric: 'operations', title: 'Inserts' },
            ],
          },
          {
            title: 'Test Settings',
            rows: 'once',
            transpose: true,
            columns: [
              { parameter: 'inserts', title: 'Inserts' },
              { value: { '@multiply': [{ '@param': 'inserts' }, 4] }, title: 'In all' },
            ],
          },
        ],
        charts: [
          {
            title: 'insert() performance',
            kind: 'line',
            x: 'operation',
            y: ['latencyMs'],
            series: [{ parameter: 'label' }],
          },
          {
            title: 'insert() performance (j flag)',
            kind: 'line',
            x: 'operation',
            y: ['insert.latencyMs'],
            series: [{ parameter: 'label' }],
            where: { '@in': [{ '@param': 'label' }, ['j=1 (spinning disk)', 'j=1 (SSD)']] },
          },
        ],
      } as never,
      effective: { variants: settings.map(({ label }) => ({ label, writeConcern: { w: 1 } })) },
    },
    variants: settings.map(({ label, medianMs, width }, row) => {
      const times = fakeTimes(random, 200, medianMs, width).map(
        (ms, index) => Math.round(ms * (index < 3 ? 2.5 : 1) * 1000) / 1000,
      )
      const wallSeconds = times.reduce((total, ms) => total + ms, 0) / 1000
      const insert = fakeOperation({
        name: 'insertOne',
        kind: 'insertOne',
        ok: 200,
        documents: 200,
        inserted: 200,
        latency: { ok: fakeLatency(times), failed: null, unknown: null },
        samples: { numbers: times.map((_, index) => index), ms: times, dropped: 0 },
      })
      const warnings =
        label === 'w=1' ? [{ code: 'short-window', message: 'The window is short', advice: 'Measure longer' }] : []
      return fakeVariant({
        row,
        label,
        parameters: { inserts: { value: 200 }, writeConcern: { value: { w: 1 } }, label: { value: label } },
        phases: [fakePhase({ name: 'insert', workers: 1, wallSeconds, operations: [insert], members: [], warnings })],
      })
    }),
  })
}

const apiReport = {
  tables: [
    {
      title: 'Performance',
      columns: [
        { parameter: 'percentNew', title: 'Percent Inserts' },
        { parameter: 'upsert', title: 'Using Upsert' },
        'update.opsPerSecond',
        'update.newPercent',
        { metric: 'call.change.p50Ms', title: 'Update p50 (ms)' },
        { metric: 'call.insert.p50Ms', title: 'Insert p50 (ms)' },
        { metric: 'call.insert.skipped', title: 'Insert Skipped' },
        'watch.eventsPerSecond',
        'watch.lagP99Ms',
      ],
    },
  ],
  charts: [{ kind: 'line', x: 'second', y: ['watch.lagP50Ms', 'watch.lagMaxMs'], where: { '@param': 'upsert' } }],
  let: {
    gain: {
      '@divide': [
        { '@metric': { of: 'update.opsPerSecond', at: { percentNew: 50, upsert: true } } },
        { '@metric': { of: 'update.opsPerSecond', at: { percentNew: 50, upsert: false } } },
      ],
    },
  },
  analysis: 'With half of the ids new, upsert does {{gain}} times the operations of update and insert.',
}

/** Steps and a change stream. */
export function updateApi(): Result {
  const random = fakeRandom(47)
  const rows = [0, 50].flatMap((percentNew) => [false, true].map((upsert) => ({ percentNew, upsert })))
  return fakeResult({
    spec: {
      name: 'update-api',
      title: 'Upsert vs. explicit insert',
      description: 'Updates by key; some of the keys are new.',
      varied: ['percentNew', 'upsert'],
      report: apiReport as never,
      thresholds: ['errors == 0', 'watch.lagP99Ms < 20', 'call.insert.failed == 0'],
      effective: { variants: { percentNew: [0, 50], upsert: [false, true] } },
    },
    variants: rows.map((parameters, row) => {
      const { percentNew, upsert } = parameters
      const ok = upsert ? 21_000 : Math.round(20_000 / (1 + percentNew / 100))
      return fakeVariant({
        row,
        label: `percentNew ${percentNew}, upsert ${upsert}`,
        parameters: { percentNew: { value: percentNew }, upsert: { value: upsert } },
        phases: [apiPhase(random, ok, Math.round((ok * percentNew) / 100), upsert)],
      })
    }),
  })
}

function apiPhase(random: () => number, ok: number, made: number, upsert: boolean): PhaseResult {
  const change = step(random, 'change', 'updateOne', { ok, matched: ok - made, upserted: upsert ? made : 0 })
  const inserts = upsert ? 0 : made
  const insert = step(random, 'insert', 'insertOne', { ok: inserts, inserted: inserts, skipped: ok - inserts })
  const { latency, perSecond } = fakeOperation({ ok, seconds: 5 })
  const lags = fakeLatency(fakeTimes(random, 2000, 6))
  return fakePhase({
    name: 'update',
    wallSeconds: 5,
    operations: [
      fakeOperation({
        name: 'call',
        kind: 'steps',
        ok,
        documents: ok,
        bytes: null,
        matched: change.matched,
        modified: change.matched,
        upserted: change.upserted,
        inserted: insert.inserted,
        steps: [change, insert],
        latency,
        perSecond,
      }),
    ],
    streams: [
      {
        name: 'watch',
        kind: 'changeStream',
        events: ok,
        byType: { update: ok - made, insert: made },
        lag: lags,
        perSecond: {
          events: Array.from({ length: 5 }, () => Math.round(ok / 5)),
          lagP50Ms: [5.8, 6.1, 6.4, 5.9, 6],
          lagP99Ms: [14.2, 15.1, 19.4, 14.8, 15],
          lagMaxMs: [31, 28.4, 74.1, 30.2, 29],
        },
        errors: [],
      },
    ],
    members: [],
  })
}

function step(random: () => number, name: string, kind: string, given: Partial<StepResult>): StepResult {
  const { perSecond: _, steps: __, samples: ___, ...counted } = fakeOperation({ ok: given.ok ?? 0 })
  const times = fakeTimes(random, Math.min(given.ok ?? 0, 1000), 1.2)
  const ok = times.length === 0 ? null : fakeLatency(times)
  return { ...counted, name, kind, bytes: null, skipped: 0, latency: { ok, failed: null, unknown: null }, ...given }
}
