import path from 'node:path'
import { expect, test } from 'vitest'
import { showError } from '../../src/cli/terminal/show-error.ts'
import { Problem, type ProblemCode } from '../../src/core/errors.ts'
import { codeFolder } from '../../src/core/package-root.ts'
import { fakeCliContext, runCommandLine } from '../fakes/fake-cli-context.ts'

test.each<[ProblemCode, number]>([
  ['spec-invalid', 2],
  ['usage', 2],
  ['refused', 3],
  ['target-unreachable', 4],
  ['no-server', 4],
  ['aborted', 130],
])('a problem of the kind "%s" ends with %i and a hint', async (code, exitCode) => {
  const cli = fakeCliContext()
  expect(await showError(new Problem(code, 'What is wrong', { hint: 'What to do.' }), cli)).toBe(exitCode)
  expect(cli.output.stderr).toContain('What is wrong\nhint: What to do.\n')
})

test.each<[ProblemCode, string, string]>([
  ['spec-invalid', 'a.json:1:2: wrong', 'a.json:1:2: wrong'],
  ['spec-invalid', 'my orders.ndjson:7: wrong', 'my orders.ndjson:7: wrong'],
  ['refused', 'a.json:1:2: would write', 'a.json:1:2: would write'],
  ['spec-invalid', 'The server refused rows', 'error: The server refused rows'],
  ['target-unreachable', 'connect 127.0.0.1:1: refused', 'error: connect 127.0.0.1:1: refused'],
])('a problem of a file begins with its place, so that editors can jump to it: %s %s', async (code, message, text) => {
  const cli = fakeCliContext()
  await showError(new Problem(code, message, { hint: 'Look.' }), cli)
  expect(cli.output.stderr).toBe(`${text}\nhint: Look.\n`)
})

test('with --format json, an error is one JSON object, without a password', async () => {
  const cli = fakeCliContext({ errorsAsJson: true, uris: ['mongodb://ann:pa%22ss@db/'] })
  const problem = new Problem('usage', 'No "pa%22ss" here', { hint: 'Two\nlines.' })
  expect(await showError(problem, cli)).toBe(2)
  const [line, ...others] = cli.output.stderr.split('\n')
  expect(others).toEqual([''])
  expect(JSON.parse(line ?? '')).toEqual({
    code: 'usage',
    message: expect.not.stringContaining('pa'),
    hint: 'Two\nlines.',
  })
})

test.each([
  [['list', 'specs', '--format', 'json', '--bogus'], { code: 'usage', message: "unknown option '--bogus'" }],
  [['check', 'nowhere', '--format=json'], { findings: [{ severity: 'error' }] }],
  [
    ['run', 'quickstart', '--format', 'json', '--engine', 'wier'],
    { code: 'usage', message: 'There is no engine "wier"' },
  ],
])('errors of %j are JSON', async (args, error) => {
  const { stdout, stderr } = await runCommandLine(args)
  expect(JSON.parse(stderr || stdout)).toMatchObject(error)
})

test('a bug is JSON, too', async () => {
  const cli = fakeCliContext({ errorsAsJson: true })
  expect(await showError(new TypeError('x is not a function'), cli)).toBe(1)
  expect(JSON.parse(cli.output.stderr)).toMatchObject({
    code: 'bug',
    hint: expect.stringContaining('x is not a function'),
  })
})

test('an unforeseen error is called a bug and keeps its stack', async () => {
  const cli = fakeCliContext()
  expect(await showError(new TypeError('x is not a function'), cli)).toBe(1)
  const [line, ...stack] = cli.output.stderr.split('\n')
  expect(line).toSay('error-is-bug')
  expect(stack.join('\n')).toMatch(/^TypeError: x is not a function\n {4}at /)
})

test.each([
  ['as written', 'p%40ss%2Fword'],
  ['as meant', 'p@ss/word'],
  ['in another URI', 'mongodb://ann:p%40ss%2Fword@other/'],
])('no error shows a password of a URI, %s', async (_how, text) => {
  const cli = fakeCliContext({ uris: ['mongodb://ann:p%40ss%2Fword@db.example/'] })
  await showError(new Error(`boom: ${text}`), cli)
  expect(cli.output.stderr).toContain('boom: ')
  expect(cli.output.stderr).not.toMatch(/p@ss|p%40ss|ss\/word|2Fword/)
})

test('no error shows a password that was not encoded', async () => {
  const uri = 'mongodb://ann:p@ss/word:%@127.0.0.1:1/'
  const cli = fakeCliContext({ uris: [uri] })
  await showError(new Error(`cannot use ${uri}`), cli)
  expect(cli.output.stderr).not.toMatch(/p@ss|ss\/word/)
})

test('a file of the program that is gone, as after an update during a run, is no bug', async () => {
  const gone = path.join(codeFolder, 'report-html-abc.js')
  const missing = Object.assign(new Error(`Cannot find module '${gone}' imported from x.js`), {
    code: 'ERR_MODULE_NOT_FOUND',
  })
  const cli = fakeCliContext()
  expect(await showError(missing, cli)).toBe(4)
  expect(cli.output.stderr).toSay('error-program-replaced')
})

const unreachable = (message: string): Problem => new Problem('target-unreachable', message, { hint: 'Look.' })

/** Leaves with an error while another one is under way, as `await using` does. */
async function failTwice(first: string, last: string): Promise<void> {
  await using _ = { [Symbol.asyncDispose]: () => Promise.reject(unreachable(last)) }
  throw unreachable(first)
}

test.each([
  [
    'where leaving fails too, both problems are shown',
    'gone',
    'left',
    'error: gone\nhint: Look.\nerror: left\nhint: Look.\n',
  ],
  ['the same problem is shown once', 'gone', 'gone', 'error: gone\nhint: Look.\n'],
])('%s', async (_, first, last, text) => {
  const cli = fakeCliContext()
  const thrown: unknown = await failTwice(first, last).catch((error: unknown) => error)
  expect(await showError(thrown, cli)).toBe(4)
  expect(cli.output.stderr).toBe(text)
})
