import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defineSpec, loadSpec, report, run } from 'mongo-perf'

const spec = defineSpec({
  name: 'suite',
  parameters: { seconds: 0.3 },
  data: { collection: 'docs', rows: 10, document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'read',
      stopAfter: { seconds: { '@param': 'seconds' } },
      operations: [{ kind: 'findOne', filter: { _id: 1 } }],
    },
  ],
})

test('a spec is checked, run and reported', async () => {
  assert.equal((await loadSpec(spec)).rows.length, 1)
  await assert.rejects(loadSpec({ ...spec, phases: [] }), { code: 'spec-invalid' })
  const result = await run(spec)
  assert.equal(result.status, 'done')
  assert.match(report(result).markdown, /^## suite/)
})

test('a run is ended by its signal', async () => {
  const stop = new AbortController()
  const result = await run(spec, {
    set: { seconds: 60 },
    signal: stop.signal,
    onProgress: ({ kind }) => kind === 'phase' && stop.abort(),
  })
  assert.equal(result.status, 'aborted')
})
