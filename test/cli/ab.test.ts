import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseSide, showRounds } from '../../src/cli/actions/ab.ts'
import { runRefused } from '../fakes/fake-cli-context.ts'
import { useFolder } from '../fakes/temporary-folder.ts'
import { spec } from '../verdicts/ab/fake-sides.ts'

const file = path.join(useFolder(), 'reads.json')
writeFileSync(file, JSON.stringify(spec))

describe('a side has', () => {
  test('parameters, and what its settings are called', () => {
    const code = ['engine:wire', 'driver:old/node_modules/mongodb', 'functions:main/perf.js', 'mongod:/opt/mongod']
    expect(parseSide(['workers=8', 'mode=a:b', ...code], 'A')).toEqual({
      set: { workers: 8, mode: 'a:b' },
      engine: 'wire',
      driver: 'old/node_modules/mongodb',
      functions: 'main/perf.js',
      mongod: '/opt/mongod',
    })
  })

  test.each([
    ['uri:small', { uriFrom: 'MONGO_PERF_URI_SMALL' }],
    ['uri:MONGO_PERF_URI', { uriFrom: 'MONGO_PERF_URI' }],
    ['uri:mongodb://a:b@localhost/?w=1', { uri: 'mongodb://a:b@localhost/?w=1' }],
  ])('the server of %s', (text, side) => expect(parseSide([text], 'B')).toEqual(side))

  test('nothing if nothing is given', () => expect(parseSide([], 'A')).toEqual({}))
})

describe('it is refused', () => {
  test.each([
    [['--b', 'wire'], 'ab-setting-unreadable'],
    [['--b', 'engine:fast'], 'cli-engine-unknown', { engine: 'fast' }],
    [['--b', 'uri:a/b'], 'ab-uri-unreadable'],
    [['--b', 'wrokers=8'], 'cli-parameter-unknown', { given: 'wrokers', nearest: 'workers' }],
    [['--b', 'driver:nowhere'], 'cli-driver-unknown', { driver: 'nowhere' }],
    [['--b', 'functions:nowhere.js'], 'cli-functions-unknown', { module: 'nowhere.js' }],
    [['--b', 'uri:new'], 'ab-uri-not-set', { variable: 'MONGO_PERF_URI_NEW' }],
    [[], 'ab-sides-same'],
    [['--b', 'workers=8', '--budget', '10m'], 'ab-budget-without-stretches', { phase: 'read' }],
    [
      ['--b', 'workers=8', '--until-clear', '--rounds', '6'],
      'cli-options-exclusive',
      { option: '--until-clear', other: '--rounds <n>' },
    ],
    [
      ['--b', 'workers=8', '--budget', '10m', '--rounds', '6'],
      'cli-options-exclusive',
      { option: '--budget <time>', other: '--rounds <n>' },
    ],
    [['--b', 'workers=8', '--until-clear', '--budget', '10'], 'ab-budget-no-duration', { given: 10 }],
    [['--b', 'workers=8', '--rounds', '0'], 'cli-number-not-above-0', { option: '--rounds <n>' }],
    [['--b', 'workers=8', '--compare-documents'], 'ab-replay-of-a-spec'],
  ])('to take %j', async (args, code, data?) => expect(await runRefused(['ab', file, ...args])).toSay(code, data))

  test('to replay a recording with what is no server', async () =>
    expect(await runRefused(['ab', 'a.mprec', '--b', 'workers=8'])).toSay('ab-recording-setting', { setting: 'set' }))

  test('to run a folder of specs', async () => {
    const message = await runRefused(['ab', 'performance-tables', '--b', 'engine:driver'])
    expect(message).toSay('ab-of-folder', { specs: 14 })
  })

  test('to print the password of a side', async () => {
    const uri = 'mongodb://root:s3cret!@remote.example/'
    const message = await runRefused(['ab', file, '--b', `uri:${uri}`], { uris: [uri] }, 3)
    expect(message).toSay('ab-uri-remote')
    expect(message).not.toContain('s3cret')
  })
})

describe('progress', () => {
  const at = { label: '', number: 1, of: 1 }

  test.each([
    [{ of: 10, secondsLeft: 240 }, 'ab-progress', { of: 10, minutes: 4 }],
    [{ of: null, secondsLeft: 240 }, 'ab-progress-open', { minutes: 4 }],
    [{ of: 10, secondsLeft: null }, 'ab-progress-unknown', { of: 10 }],
  ])('of a side is one line: %j', (given, code, data) => {
    const lines: string[] = []
    const show = showRounds({ printStatus: () => undefined, rewrite: (text) => lines.push(text) })
    show({ kind: 'running', round: 3, side: 'b', event: { kind: 'settle', at }, ...given })
    expect(lines).toSay(code, data)
  })

  test('keeps a line for each round', () => {
    let text = ''
    const show = showRounds({ printStatus: (line) => void (text += line), rewrite: () => undefined })
    show({ kind: 'round', round: 2, of: 2, secondsLeft: 0, order: ['b', 'a'] })
    expect(text).toBe('round 2 of 2 done\n')
  })
})
