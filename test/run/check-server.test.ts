import { expect, test } from 'vitest'
import { type JsonObject } from '../../src/core/json.ts'
import { checkServerVersion } from '../../src/run/preflight/check-server.ts'
import { aPhase, oneRow } from '../fakes/a-spec.ts'

const bulk: JsonObject = { kind: 'clientBulkWrite', operations: [{ insertOne: {} }] }
const check = (operation: JsonObject, version: string) => () =>
  checkServerVersion(oneRow({ phases: [aPhase({ operations: [operation] })] }).spec, version)

test.each(['6.0.5', '7.0.14', '7.3.4-rc1', '0.0.0'])('an operation that %s does not know is refused', (version) => {
  expect(check(bulk, version)).toSay('operation-needs-newer-server', { version })
})

test('a step that the server does not know is refused', () => {
  const steps = { kind: 'steps', steps: [{ kind: 'insertOne' }, bulk] }
  expect(check(steps, '6.0.5')).toSay('operation-needs-newer-server', { version: '6.0.5' })
})

test.each(['8.0.0', '8.0', '8.2.1', '10.0.0', 'unknown'])('one that %s knows, or may know, is not', (version) => {
  expect(check(bulk, version)).not.toThrow()
})

test('operations that every server knows are never refused', () => {
  expect(check({ kind: 'aggregate', pipeline: [] }, '3.6.0')).not.toThrow()
})

const series = { collection: 'readings', options: { timeseries: { timeField: 'at' } } }
const checkData = (data: JsonObject, operation: JsonObject, version: string) => () =>
  checkServerVersion(oneRow({ data, phases: [aPhase({ operations: [operation] })] }).spec, version)

test('deletes of single measurements are refused where the server takes none', () => {
  expect(checkData(series, { kind: 'deleteOne' }, '6.0.5')).toSay('delete-needs-newer-server', { version: '6.0.5' })
  expect(checkData(series, { kind: 'deleteOne' }, '7.0.2')).not.toThrow()
  expect(checkData({ collection: 'plain' }, { kind: 'deleteOne' }, '6.0.5')).not.toThrow()
})
