import { expect, inject, test } from 'vitest'
import { startTestMongod } from '../../bench/start/mongod.ts'
import { workplace } from '../contract/support/program.ts'
import { ownTarget, threeRows } from '../contract/support/specs.ts'

const lostTexts = {
  SIGABRT:
    /The mongod of member0 exited during the run \(SIGABRT\)\. The last lines of its log: .*Got signal: 6 \(Aborted\)/,
  SIGKILL: /The mongod of member0 exited during the run \(SIGKILL\)\. The last lines of its log: /,
} as const

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
  expect(stderr).toMatch(lostTexts[signal])
  const { status, variants } = await place.result('three-rows')
  expect(status).toBe('failed')
  expect(variants.map((row) => `${row.label} ${row.status}`)).toEqual(['first done', 'second failed'])
  expect(variants[1]?.error).toMatch(lostTexts[signal])
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
  expect(stderr).toContain('The server stopped answering during the run: no answer to a ping within 4 s')
  expect(stderr).not.toContain('the data stays on the server')
  expect(await outcomes()).toEqual(['first done', 'second failed'])

  await using second = await startTestMongod(inject('mongodPath'))
  expect((await runWith(second.uri).ended).code).toBe(0)
  expect(await outcomes()).toEqual(['first done', 'second done', 'third done'])
})
