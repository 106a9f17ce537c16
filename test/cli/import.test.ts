import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { type JsonObject } from '../../src/core/json.ts'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'
import { useFolder } from '../fakes/temporary-folder.ts'

const folder = useFolder()

function written(name: string, text: string): string {
  const file = path.join(folder, name)
  writeFileSync(file, text)
  return file
}

const workload = written('workloadx', 'workload=site.ycsb.workloads.CoreWorkload\nrecordcount=50\noperationcount=100\n')

const importing = (...args: readonly string[]) => runCommandLine(['import', 'ycsb', ...args])
const importRefused = (...args: readonly string[]) => runRefused(['import', 'ycsb', ...args])

describe('import', () => {
  test('prints a spec, and what differs from YCSB for the user', async () => {
    const { stdout, stderr, code } = await importing(workload)
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ name: 'ycsb-x', parameters: { recordcount: 50 } })
    expect(stderr).toSay('import-ycsb-notes')
  })

  test('takes properties of the command line and of further files', async () => {
    const more = written('more.properties', 'threadcount=4\noperationcount=7')
    const { stdout } = await importing(workload, '-P', more, '-p', 'operationcount=9', '-p', 'table=other')
    expect(JSON.parse(stdout)).toMatchObject({
      parameters: { recordcount: 50, operationcount: 9, threadcount: 4 },
      data: { collection: 'other' },
    })
  })

  test('leaves out the properties that --ignore names, which another program has', async () => {
    const ofGo = written('ycsb-go.properties', 'workload=core\nrecordcount=50\noperationcount=100\ndropdata=false\n')
    const { stdout, stderr, code } = await importing(ofGo, '--ignore', 'workload', '--ignore', 'dropdata')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ parameters: { recordcount: 50 } })
    expect(stderr).toHaveLine('import-ycsb-ignored', { property: 'dropdata' })
    expect(await importRefused(ofGo, '--ignore', 'dropdatum')).toSay('import-ycsb-ignored-missing')
  })

  test('writes a file, and overwrites none by itself', async () => {
    const out = path.join(folder, 'spec.json')
    expect(await importing(workload, '--out', out)).toMatchObject({ code: 0, stdout: '' })
    expect((JSON.parse(readFileSync(out, 'utf8')) as JsonObject)['name']).toBe('ycsb-x')
    expect(await importRefused(workload, '--out', out)).toSay('cli-file-exists', { file: out })
    expect(await importing(workload, '--out', out, '--force')).toMatchObject({ code: 0 })
  })

  test('writes nothing where a property is refused', async () => {
    const out = path.join(folder, 'refused.json')
    const refused = await importRefused(workload, '-p', 'recordcout=5', '-p', 'target=-3', '--out', out)
    expect(refused).toSay('import-ycsb-properties-wrong')
    expect(existsSync(out)).toBe(false)
  })

  test.each(['-p=mongodb://ann:hunter2@h/', '-pmongodb.url'])('shows no value of a wrong %s', async (option) =>
    expect(await importRefused(workload, option)).not.toContain('hunter2'),
  )

  test('names the specs that ship where a file is not there', async () => {
    const file = path.join(folder, 'nothing')
    expect(await importRefused(file)).toSay('import-ycsb-file-missing', { file })
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
  expect(await runRefused(['check', file])).toSay('ycsb-property-wrong', { file, line: 3 })
})

test('a property file that is not known as one is refused with the command that takes it', async () => {
  const file = written('plain', 'recordcount=1\noperationcount=1\n')
  expect(await runRefused(['run', file])).toSay('spec-no-json-but-ycsb', { file })
})
