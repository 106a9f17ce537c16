import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseSide, showRounds } from '../../src/cli/actions/ab.ts'
import { runCommandLine } from '../fakes/fake-cli-context.ts'
import { spec } from '../verdicts/ab/fake-sides.ts'

let folder: string
let file: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mongo-perf-ab-'))
  file = path.join(folder, 'reads.json')
  await writeFile(file, JSON.stringify(spec))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('a side has', () => {
  test('parameters, and what its settings are called', () => {
    const settings = [
      'workers=8',
      'mode=a:b',
      'engine:wire',
      'driver:old/node_modules/mongodb',
      'functions:main/perf.js',
      'mongod:/opt/mongod',
    ]
    expect(parseSide(settings, 'A')).toEqual({
      options: {
        set: { workers: 8, mode: 'a:b' },
        engine: 'wire',
        driver: 'old/node_modules/mongodb',
        functions: 'main/perf.js',
        mongod: '/opt/mongod',
      },
      uris: {},
    })
  })

  test.each([
    ['uri:small', { options: { uriFrom: 'MONGO_PERF_URI_SMALL' }, uris: {} }],
    ['uri:MONGO_PERF_URI', { options: { uriFrom: 'MONGO_PERF_URI' }, uris: {} }],
    [
      'uri:mongodb://a:b@localhost/?w=1',
      { options: { uriFrom: 'MONGO_PERF_URI_B' }, uris: { MONGO_PERF_URI_B: 'mongodb://a:b@localhost/?w=1' } },
    ],
  ])('the server of %s', (text, side) => {
    expect(parseSide([text], 'B')).toEqual(side)
  })

  test('nothing if nothing is given', () => {
    expect(parseSide([], 'A')).toEqual({ options: {}, uris: {} })
  })
})

describe('it is refused', () => {
  test.each([
    [['--b', 'wire'], '--b wire is no setting'],
    [['--b', 'engine:fast'], 'There is no engine "fast"'],
    [['--b', 'uri:a/b'], 'neither a MongoDB URI nor a name'],
    [['--b', 'wrokers=8'], 'did you mean "workers"'],
    [['--b', 'driver:nowhere'], 'There is no driver "nowhere"'],
    [['--b', 'functions:nowhere.js'], 'There is no module "nowhere.js"'],
    [['--b', 'uri:new'], 'MONGO_PERF_URI_NEW is not set'],
    [[], 'A and B are the same'],
    [
      ['--b', 'workers=8', '--budget', '10m'],
      'A budget is the time of alternating stretches, which are not possible: the phase "read" ends after a number of calls',
    ],
    [['--b', 'workers=8', '--until-clear', '--rounds', '6'], "cannot be used with option '--rounds <n>'"],
    [['--b', 'workers=8', '--until-clear', '--budget', '10'], 'It must be a duration such as 90s'],
    [['--b', 'workers=8', '--rounds', '0'], 'It must be a whole number above 0'],
  ])('to take %j', async (args, message) => {
    const { stdout, stderr, code } = await runCommandLine(['ab', file, ...args])
    expect([stdout, code]).toEqual(['', 2])
    expect(stderr.toLowerCase()).toContain(message.toLowerCase())
  })

  test('to run a folder of specs', async () => {
    const { stderr, code } = await runCommandLine(['ab', 'performance-tables', '--b', 'engine:driver'])
    expect(code).toBe(2)
    expect(stderr).toContain('is a folder of 14 specs, and each side runs one')
  })

  test('to print the password of a side', async () => {
    const { stderr } = await runCommandLine(['ab', file, '--b', 'uri:mongodb://root:s3cret!@remote.example/'], {
      uris: ['mongodb://root:s3cret!@remote.example/'],
    })
    expect(stderr).toContain('leads to another machine')
    expect(stderr).not.toContain('s3cret')
  })
})

describe('progress', () => {
  const at = { label: '', number: 1, of: 1 }

  test.each([
    [{ of: 10, secondsLeft: 240 }, 'round 3 of 10, B, about 4 min left: [1/1] letting the server settle'],
    [{ of: null, secondsLeft: 240 }, 'round 3, B, at most 4 min left: [1/1] letting the server settle'],
    [{ of: 10, secondsLeft: null }, 'round 3 of 10, B: [1/1] letting the server settle'],
  ])('of a side is one line: %j', (given, line) => {
    const lines: string[] = []
    const show = showRounds({ printStatus: () => undefined, rewrite: (text) => lines.push(text) })
    show({ kind: 'running', round: 3, side: 'b', event: { kind: 'settle', at }, ...given })
    expect(lines).toEqual([line])
  })

  test('keeps a line for each round', () => {
    let text = ''
    const show = showRounds({ printStatus: (line) => void (text += line), rewrite: () => undefined })
    show({ kind: 'round', round: 2, of: 2, secondsLeft: 0, order: ['b', 'a'] })
    expect(text).toBe('round 2 of 2 done\n')
  })
})
