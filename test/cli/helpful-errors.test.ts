import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { runRefused } from '../fakes/fake-cli-context.ts'
import { useFolder } from '../fakes/temporary-folder.ts'

const folder = useFolder()

describe('a mistake at a first try is named with its remedy', () => {
  test.each<[code: string, args: readonly string[]]>([
    ['error-run-forgotten', ['quickstart']],
    ['error-file-missing', ['run', 'missing.json']],
    ['error-unit-in-number', ['size', 'quickstart', '--p99', '10ms']],
    ['error-near-choice', ['list', 'colums']],
    ['error-workload-missing', ['import', 'ycsb', 'nope']],
  ])('%s', async (code, args) => expect(await runRefused([...args])).toSay(code))

  test.each(['shop.yaml', 'shop.ts'])('a spec in another language: %s', async (name) => {
    const file = path.join(folder, name)
    writeFileSync(file, 'name: shop\n')
    expect(await runRefused(['check', file])).toSay('error-not-json', { file })
  })

  test('spaces around the sign of a parameter', async () => {
    const refused = await runRefused(['run', 'quickstart', '--set', 'rate', '=', '5'])
    expect(refused).toContain('hint: Write --set name=value without spaces.')
  })

  test.each([
    ['error-single-quotes', "{ 'name': 'x' }"],
    ['error-no-spec', '{ "name": "shop", "version": "1.0.0", "dependencies": {} }'],
  ])('%s', async (code, text) => {
    const file = path.join(folder, 'package.json')
    writeFileSync(file, text)
    expect(await runRefused(['run', file])).toSay(code, { file })
  })
})

describe.runIf(process.platform !== 'win32')('a pipe or a device in the place of a file is not read:', () => {
  const pipe = path.join(folder, 'result.json')
  beforeAll(() => void execFileSync('mkfifo', [pipe]))

  const commands = [['run'], ['check'], ['report'], ['inspect'], ['replay'], ['compare', folder], ['import', 'ycsb']]
  test.each(commands)('%s', async (...command) => {
    for (const file of [pipe, '/dev/zero'])
      expect(await runRefused([...command, file])).toSay('error-pipe-or-device', { file })
  })

  test('nor is one in a folder of results', async () =>
    expect(await runRefused(['compare', folder, folder])).toSay('error-pipe-or-device', { file: pipe }))
})
