import { expect, inject, test } from 'vitest'
import { startTestMongod } from '../../bench/start/mongod.ts'
import { workplace } from '../contract/support/program.ts'
import { ownTarget, threeRows } from '../contract/support/specs.ts'

/** What its log says last is of the server, but for the signal. */
const withoutLog = (text: string | null | undefined): string =>
  String(text).replace(/(?<=log: )(?:.*(Got signal: \S+ \(\w+\)))?.*/, '$1')

test.each([
  { moment: 'the load', words: 'second loading docs', slow: { documents: 20_000_000 }, signal: 'SIGABRT' },
  { moment: 'the warm-up', words: 'second read (warm-up)', slow: { warmup: 60 }, signal: 'SIGKILL' },
  { moment: 'the measured phase', words: 'second read ░', slow: { seconds: 60 }, signal: 'SIGABRT' },
] as const)('a row whose server ends in $moment fails, with the last lines of its log', async (given) => {
  const { words, slow, signal } = given
  await using place = await workplace()
  const file = await place.spec({ ...threeRows(slow), ...ownTarget })
  const program = place.begin(['run', file, '--log-level', 'trace'])
  await program.says(words)
  const [server] = place.servers()
  process.kill(server?.pid ?? 0, signal)
  const { code, stderr } = await program.ended
  expect(code).toBe(4)
  const said = signal === 'SIGABRT' ? 'run-server-aborted' : 'run-server-killed'
  expect(withoutLog(stderr)).toHaveLine(said)
  const { status, variants } = await place.result('three-rows')
  expect(status).toBe('failed')
  expect(variants.map((row) => `${row.label} ${row.status}`)).toEqual(['first done', 'second failed'])
  expect(`error: ${withoutLog(variants[1]?.error)}`).toHaveLine(said)
  expect(place.servers()).toEqual([])
})

test('a row whose running server stops answering fails within its deadline, and --resume runs it again', async () => {
  await using place = await workplace()
  // The server is killed in the turn of the event loop in which the run says where it is.
  const file = await place.spec(threeRows({ warmup: 1 }, { deadlineSeconds: 5 }))
  const runWith = (uri: string) => place.begin(['run', file, '--uri', uri, '--resume', '--log-level', 'trace'])
  const outcomes = async (): Promise<readonly string[]> =>
    (await place.result('three-rows')).variants.map(({ label, status }) => `${label} ${status}`)

  // Servers of its own: the first is killed.
  await using first = await startTestMongod(inject('mongodPath'))
  const program = runWith(first.uri)
  await program.says('second read (warm-up)')
  first.kill()
  const { code, stderr } = await program.ended
  expect(code).toBe(4)
  expect(stderr.replace(/(?<= 4 s).*/, '')).toHaveLine('run-server-silent', { seconds: 4 })
  expect(stderr).not.toHaveLine('run-data-stays', { database: 'mongoperf_three_rows' })
  expect(await outcomes()).toEqual(['first done', 'second failed'])

  await using second = await startTestMongod(inject('mongodPath'))
  expect((await runWith(second.uri).ended).code).toBe(0)
  expect(await outcomes()).toEqual(['first done', 'second done', 'third done'])
})
