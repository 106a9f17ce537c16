import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { startTestMongod } from '../../../bench/start/mongod.ts'
import { run, type SpecInput } from '../../../src/entries/index.ts'

const spec: SpecInput = {
  name: 'socket',
  data: { collection: 'rows', rows: 100, document: { _id: { '@row': {} } } },
  target: { kind: 'existing' },
  phases: (['driver', 'wire'] as const).map((engine) => ({
    name: engine,
    engine,
    stopAfter: { operations: 20 },
    operations: [{ kind: 'findOne', filter: { _id: 1 }, expectDocuments: 1 }],
  })),
}

test.skipIf(process.platform === 'win32')(
  'a server alone is measured over its Unix socket, by both engines',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-socket-'))
    await using server = await startTestMongod(inject('mongodPath'), ['--unixSocketPrefix', folder])
    const socket = path.join(folder, `mongodb-${new URL(server.uri).port}.sock`)
    const result = await run(spec, { uri: `mongodb://${encodeURIComponent(socket)}/` })
    const [row] = result.variants
    expect(row?.data).toMatchObject([{ rows: 100, source: 'generated' }])
    for (const { operations, members } of row?.phases ?? []) {
      expect(operations[0]?.found).toBe(20)
      expect(members[0]?.sampler.samples).toBeGreaterThan(0)
    }
    await rm(folder, { recursive: true, force: true })
  },
)
