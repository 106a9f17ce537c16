import path from 'node:path'
import { expect, test } from 'vitest'
import { programCommands } from '../../docs/generator/commands-page.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'

test('help shows commands and exit codes', async () => {
  const { stdout, stderr, code } = await runCommandLine(['--help'])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(stdout).toSay('help')
})

test('help of "run" shows its options', async () => {
  const { stdout, code } = await runCommandLine(['run', '--help'])
  expect(code).toBe(0)
  expect(stdout).toSay('help-run')
})

test('the version is that of the package', async () => {
  const { stdout, code } = await runCommandLine(['--version'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
})

test('no command at all shows the help to people, as a wrong usage', async () =>
  expect(await runRefused([])).toSay('help'))

test('options exclude options of the same command alone', () => {
  for (const { options } of programCommands()) {
    const names = options.map((option) => option.attributeName())
    // The types of commander leave it out.
    const excluded = options.flatMap((option) => Reflect.get(option, 'conflictsWith') as readonly string[])
    expect(names).toEqual(expect.arrayContaining(excluded))
  }
})

const run = ['run', 'quickstart']

test.each([
  [['rnu'], 'cli-command-unknown', { given: 'rnu' }],
  [['run'], 'cli-argument-missing', { argument: 'specs' }],
  [[...run, '--unheard'], 'cli-option-unknown', { option: '--unheard' }],
  [[...run, '-p', 'recordcount=5'], 'cli-option-of-ycsb', { option: '-p' }],
  [
    [...run, '--format', 'xml'],
    'cli-choice-unknown',
    {
      given: 'xml',
      choices: 'text, md, json, csv, github, junit, bencher, customSmallerIsBetter, customBiggerIsBetter',
    },
  ],
  [[...run, '--otlp', 'http://ann:secret@127.0.0.1:4318'], 'run-otlp-url'],
  [[...run, '--otlp', 'ann:secret@127.0.0.1:4318'], 'run-otlp-url'],
  [[...run, '--repeat', '0'], 'cli-number-not-above-0', { option: '--repeat <n>' }],
  [[...run, '--target', 'standalone'], 'run-target-unknown', { given: 'standalone' }],
  [[...run, '--set', 'documents'], 'run-set-unreadable', { given: 'documents' }],
  [[...run, '--set', 'documnts=1'], 'cli-parameter-unknown', { given: 'documnts', nearest: 'documents' }],
  [[...run, '--profile', 'tiny'], 'run-profile-unknown', { profile: 'tiny' }],
  [[...run, '--only', 'x=1'], 'run-only-unknown', { given: 'x=1' }],
  [[...run, '--uri', 'localhost'], 'cli-uri-unreadable'],
  [[...run, 'quickstart'], 'run-spec-twice', { file: path.resolve('fixtures/specs/quickstart.json') }],
  [['check', 'quickstrat'], 'spec-name-unknown', { given: 'quickstrat', nearest: 'quickstart' }],
  [['report', 'no-such-result.json'], 'report-unreadable', { file: 'no-such-result.json' }],
  [['list', 'columms'], 'list-unknown', { given: 'columms' }],
])('a wrong usage ends with 2 and names what is wrong %j', async (args, code, data?) =>
  expect(await runRefused(args)).toSay(code, data),
)
