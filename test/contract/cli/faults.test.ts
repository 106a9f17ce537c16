import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { isAlive } from '../../../src/targets/server/process-identity.ts'
import { type Workplace, workplace } from '../support/program.ts'

const spec = (fault: object) => ({
  name: 'hurt',
  target: { kind: 'replicaSet', members: 3, settings: { electionTimeoutMs: 1_000, heartbeatIntervalMs: 200 } },
  data: { collection: 'docs', document: { _id: { '@row': {} } } },
  phases: [
    {
      name: 'write',
      load: { kind: 'closed', workers: 2 },
      stopAfter: { seconds: 600 },
      operations: [{ kind: 'insertOne' }],
      faults: [{ atSeconds: 0.5, ...fault }],
    },
  ],
})

const faults = [
  { kind: 'kill' },
  { kind: 'pause' },
  { kind: 'partition', groups: [['primary'], ['secondaries']] },
] as const
const onLinux = process.platform === 'linux' ? faults : faults.slice(0, 2)

/** Starts a run and waits until its fault is done. */
async function startUntilHurt(place: Workplace, fault: (typeof faults)[number]) {
  const file = await place.spec(spec(fault))
  const program = place.begin(['run', file])
  await program.says(`write: ${fault.kind} of member`)
  const servers = place.servers()
  expect(servers.filter(({ program: what = 'mongod' }) => what === 'mongod')).toHaveLength(3)
  return { ...program, servers, folders: servers.flatMap((server) => server.folders) }
}

const nothingIsLeft = async (place: Workplace): Promise<boolean> =>
  place.servers().length === 0 && (await readdir(place.temp)).length === 0

test.each(onLinux)('Ctrl-C in the middle of a $kind undoes it, keeps the row, and leaves no process', async (fault) => {
  await using place = await workplace()
  const { stop, ended, servers, folders } = await startUntilHurt(place, fault)
  stop()
  const { code, stderr } = await ended
  expect(code).toBe(130)
  expect(stderr).toContain('is undone')
  expect(servers.filter(isAlive)).toEqual([])
  expect(folders.filter((folder) => existsSync(folder))).toEqual([])
  expect(await nothingIsLeft(place)).toBe(true)
  const { status, variants } = await place.result('hurt')
  expect(status).toBe('aborted')
  expect(variants[0]?.phases[0]?.faults).toMatchObject([{ kind: fault.kind, occurrences: [{ error: null }] }])
})

test('a server that others run is not hurt unless the command line says so', async () => {
  await using place = await workplace()
  const { target: _, ...rest } = spec({ kind: 'stepDown' })
  const file = await place.spec(rest)
  const args = ['run', file, '--uri', 'mongodb://127.0.0.1:1/']
  const { code, stderr } = await place.run(args)
  expect(code).toBe(3)
  expect(stderr).toContain('add --allow-step-down')
  // Nobody is there, so this is as far as it gets.
  expect((await place.run([...args, '--allow-step-down'])).code).toBe(4)
})

test('the list of faults is what the reference shows', async () => {
  await using place = await workplace()
  const { stdout } = await place.run(['list', 'faults'])
  const kinds = stdout
    .split('\n')
    .flatMap((line) => line.split(' ')[0] ?? [])
    .filter((kind) => kind !== '')
  const page = await readFile(path.join(import.meta.dirname, '../../../docs/faults.md'), 'utf8')
  expect(kinds.length).toBeGreaterThan(5)
  for (const kind of kinds) expect(page).toContain(`\n## ${kind}\n`)
})
