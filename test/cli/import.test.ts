import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../src/core/json.ts'
import { runCommandLine } from '../fakes/fake-cli-context.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'mongo-perf-test-'))

function written(name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}

const workload = written('workloadx', 'workload=site.ycsb.workloads.CoreWorkload\nrecordcount=50\noperationcount=100\n')

const importing = async (...args: readonly string[]) => await runCommandLine(['import', 'ycsb', ...args])

describe('import', () => {
  test('prints a spec, and what differs from YCSB for the user', async () => {
    const { stdout, stderr, code } = await importing(workload)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ name: 'ycsb-x', parameters: { recordcount: 50 } })
    expect(stderr).toMatch(/^note: .*warm-up/)
  })

  test('takes properties of the command line and of further files', async () => {
    const more = written('more.properties', 'threadcount=4\noperationcount=7')
    const { stdout } = await importing(workload, '-P', more, '-p', 'operationcount=9', '-p', 'table=other')
    expect(JSON.parse(stdout)).toMatchObject({
      parameters: { recordcount: 50, operationcount: 9, threadcount: 4 },
      data: { collection: 'other' },
    })
  })

  test('writes a file, and overwrites none by itself', async () => {
    const out = path.join(folder, 'spec.json')
    expect(await importing(workload, '--out', out)).toMatchObject({ code: 0, stdout: '' })
    expect((JSON.parse(readFileSync(out, 'utf8')) as JsonObject)['name']).toBe('ycsb-x')
    const again = await importing(workload, '--out', out)
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('exists already') })
    expect(await importing(workload, '--out', out, '--force')).toMatchObject({ code: 0 })
  })

  test('writes nothing where a property is refused', async () => {
    const out = path.join(folder, 'refused.json')
    const { code, stderr } = await importing(workload, '-p', 'recordcout=5', '-p', 'target=-3', '--out', out)
    expect(code).toBe(2)
    expect(stderr).toContain('-p: target: must be a whole number of at least 0')
    expect(stderr).toContain('-p: unknown property "recordcout"; did you mean "recordcount"?')
    expect(existsSync(out)).toBe(false)
  })

  test.each(['-p=mongodb://ann:hunter2@h/', '-pmongodb.url'])(
    'shows no value of a wrong option: %s',
    async (option) => {
      const { code, stderr } = await importing(workload, option)
      expect(code).toBe(2)
      expect(stderr).not.toContain('hunter2')
    },
  )

  test('names the specs that ship where a file is not there', async () => {
    expect(await importing(path.join(folder, 'nothing'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('does not exist'),
    })
  })
})

test('a property file is checked like a spec, with its parameters for --set', async () => {
  const { stdout, stderr, code } = await runCommandLine(['check', workload, '--set', 'recordcount=7', '--json'])
  expect(code).toBe(0)
  expect(stdout).toContain('"rows": 7')
  expect(stderr).toContain(`${workload}: 2 s of warm-up`)
})

test('a property file that cannot be imported is refused by file and line', async () => {
  const file = written('bad.properties', 'recordcount=1\noperationcount=1\nreadproportion=all')
  const { stderr, code } = await runCommandLine(['check', file])
  expect(code).toBe(2)
  expect(stderr).toContain(`${file}:3: readproportion: must be a number of at least 0`)
})

test('a property file that is not known as one is refused with the command that takes it', async () => {
  const { stderr, code } = await runCommandLine(['run', written('plain', 'recordcount=1\noperationcount=1\n')])
  expect(code).toBe(2)
  expect(stderr).toContain('the file holds no JSON')
  expect(stderr).toContain('`mongo-perf import ycsb FILE` makes one of a property file of YCSB')
})
