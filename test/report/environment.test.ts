import { expect, test } from 'vitest'
import { collectEnvironmentFacts, placeOfSetting } from '../../src/report/prose/environment.ts'
import { type VariantResult } from '../../src/results/schema.ts'
import { type ServerInfo } from '../../src/results/schema/servers.ts'
import { fakePhase, fakeResult, fakeVariant } from '../fakes/fake-result.ts'
import { storedResult, storedResults } from '../fakes/stored-results.ts'

const factsOf = (...variants: readonly VariantResult[]): ReadonlyMap<string, string> =>
  new Map(collectEnvironmentFacts(fakeResult({ variants: [...variants] })).map(({ name, value }) => [name, value]))

test('what a spec states about a server is shown, be it "none"; limits are shown where there are some', () => {
  const facts = factsOf(fakeVariant({ facts: { encryption: 'none' } }))
  expect(facts.get('encryption')).toBe('none')
  expect(facts.has('Server limits')).toBe(false)
})

const running = (row: number, workers: number) => fakeVariant({ row, phases: [fakePhase({ workers })] })

test('what differs from row to row is shown in their order, whatever order they ran in', () =>
  expect(factsOf(running(2, 50), running(0, 200), running(1, 10), running(0, 200)).get('Workers')).toBe('200; 10; 50'))

const factsBy = (...engines: readonly ('driver' | 'wire')[]) =>
  factsOf(fakeVariant({ phases: engines.map((engine) => fakePhase({ engine })) }))
const by = (...engines: readonly ('driver' | 'wire')[]): string | undefined => factsBy(...engines).get('Client engine')

test('the engine is shown where a phase used "wire", and what is missing there', () => {
  expect(by('driver', 'driver')).toBeUndefined()
  expect(by('wire', 'wire')).toBe('wire, without compression')
  expect(by('driver', 'wire')).toBe('driver; wire, without compression')
})

test('options of the driver are shown where operations went through it', () => {
  expect(factsBy('driver', 'wire').has('Driver options')).toBe(true)
  expect(factsBy('wire', 'wire').has('Driver options')).toBe(false)
})

test('a server of another maker is shown by its own name', () => {
  const { server } = fakeVariant()
  const serverOf = (version: string) => factsOf(fakeVariant({ server: server && { ...server, version } })).get('Server')
  expect(serverOf('6.0.5')).toBe('MongoDB 6.0.5, wiredTiger')
  expect(serverOf('FerretDB 1.24.2 (MongoDB 7.0.42 interface)')).toBe(
    'FerretDB 1.24.2 (MongoDB 7.0.42 interface), wiredTiger',
  )
})

test('what servers were started with and where their data lies is shown', () => {
  const { server } = fakeVariant()
  const started = { setParameters: { minSnapshotHistoryWindowInSeconds: '0' }, fileSystem: 'xfs' }
  const facts = factsOf(fakeVariant({ server: server && { ...server, ...started } }))
  expect(facts.get('Server parameters')).toBe('minSnapshotHistoryWindowInSeconds: 0')
  expect(facts.get('File system')).toBe('xfs')
  expect([...factsOf(fakeVariant()).keys()]).not.toContain('File system')
})

test('one core is one core', () => {
  const { server } = fakeVariant()
  const { environment } = fakeResult()
  const result = fakeResult({
    environment: { ...environment, host: { ...environment.host, cores: 1 } },
    variants: [fakeVariant({ server: server && { ...server, cores: 1 } })],
  })
  const facts = collectEnvironmentFacts(result).map(({ value }) => value)
  expect(facts).toContain('1 core, 7.8 GB, Debian 12')
  expect(facts).toContain('Example CPU 2.4 GHz, 1 core, 7.8 GB, Linux 6.1')
})

test('cores are shown where client and servers were pinned', () => {
  const { server } = fakeVariant()
  const on = (row: number, pinnedCores: ServerInfo['pinnedCores']) =>
    fakeVariant({ row, server: server && { ...server, pinnedCores } })
  const apart = { client: [0, 1, 2], servers: [3, 5] }
  expect(factsOf(on(0, null)).has('Cores')).toBe(false)
  expect(factsOf(on(0, apart)).get('Cores')).toBe('client 0-2; servers 3,5')
  expect(factsOf(on(0, null), on(1, apart)).get('Cores')).toBe('shared; client 0-2; servers 3,5')
})

test.each(storedResults)('the settings of %s are in the order that documents keep', (name) => {
  const names = collectEnvironmentFacts(storedResult(name)).map((setting) => setting.name)
  expect(names.toSorted((a, b) => placeOfSetting(a) - placeOfSetting(b))).toEqual(names)
})
