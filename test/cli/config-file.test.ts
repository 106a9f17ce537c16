import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Command, Option } from 'commander'
import { describe, expect, test } from 'vitest'
import { applyConfig, configName, findConfig, readConfig, resultsFolder } from '../../src/cli/options/config-file.ts'
import { parseConfig } from '../../src/cli/options/config-schema.ts'
import { urisIn } from '../../src/cli/options/uris.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const inFolder = useFreshFolder()

async function write(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, text)
}

describe('the file with defaults', () => {
  test('holds in the folders of its package, of which the nearest wins, and not in those of another', async () => {
    await write(inFolder('package.json'), '{}')
    await write(inFolder(configName), '{ "out": "perf/results" }')
    await write(inFolder('a', 'b', 'c.txt'), '')
    await write(inFolder('other', 'package.json'), '{}')
    expect(await readConfig(inFolder('a', 'b'))).toEqual({
      file: path.join('..', '..', configName),
      values: { out: path.join('..', '..', 'perf', 'results') },
    })
    await write(inFolder('a', configName), '{ "out": "x" }')
    expect(findConfig(inFolder('a', 'b'))).toBe(inFolder('a', configName))
    expect(findConfig(inFolder('other'))).toBeUndefined()
  })

  test('holds in its own folder alone outside of a package', async () => {
    await write(inFolder(configName), '{}')
    await write(inFolder('a', 'b.txt'), '')
    expect(findConfig(inFolder())).toBe(inFolder(configName))
    expect(findConfig(inFolder('a'))).toBeUndefined()
  })

  test.each([
    ['config-key-unknown', '{ "enigne": "wire" }'],
    ['config-value-unknown', '{\n  "engine": "wier"\n}'],
    ['config-uri-from', '{ "uriFrom": "SHOP URI" }'],
    ['config-uri', '{ "uri": "mongodb://ann:secret@db/" }'],
    ['config-uri', '{ "xyz": ["MongoDB+SRV://ann:secret@db/"] }'],
    ['config-no-json', '{ "engine" }'],
  ])('is refused where it is wrong: %s %s', (code, text) => {
    const refused = (): unknown => parseConfig(text, configName)
    expect(refused).toSay(code)
    expect(refused).not.toThrow(/secret/)
  })
})

function parsed(args: readonly string[]): Command {
  const command = new Command('run')
    .option('--out <folder>', 'where', resultsFolder)
    .option('--engine <name>', 'which')
    .option('--html <file>', 'where')
    .addOption(new Option('--format <format>', 'what').choices(['text', 'md']))
  return command.parse(args, { from: 'user' })
}

describe('defaults of a project', () => {
  const config = { file: configName, values: { out: 'results', engine: 'wire', format: 'md' } } as const

  test('take the place of those of the command, and of nothing that was given', () => {
    const command = parsed([])
    applyConfig(command, config)
    expect(command.opts()).toEqual({ out: 'results', format: 'md', usualEngine: 'wire' })
    const given = parsed(['--out', 'mine', '--format', 'text', '--engine', 'driver'])
    applyConfig(given, config)
    expect(given.opts()).toEqual({ out: 'mine', format: 'text', engine: 'driver', usualEngine: 'wire' })
  })

  test('leave out a format that the command does not have', () => {
    const command = parsed([])
    applyConfig(command, { file: configName, values: { format: 'csv' } })
    expect(command.getOptionValue('format')).toBeUndefined()
  })

  test('have an engine for specs and phases that name none', () => {
    const read = { name: 'read', stopAfter: { operations: 1 }, operations: [{ kind: 'find' }] }
    const data = { collection: 'c', rows: 1, document: { _id: { '@row': {} } } }
    const engines = (spec: object) =>
      loadSpecText(JSON.stringify({ name: 's', data, ...spec }), 's.json', { usualEngine: 'wire' }).rows.flatMap(
        (row) => row.spec.phases.map(({ engine }) => engine),
      )
    expect(engines({ phases: [read, { ...read, name: 'again', engine: 'driver' }] })).toEqual(['wire', 'driver'])
    expect(engines({ engine: 'driver', phases: [read] })).toEqual(['driver'])
  })
})

test('a URI in any variable is kept out of messages, because the defaults of a project may name it', () =>
  expect(urisIn([], { SHOP_URI: 'mongodb://ann:secret@db/', HOME: '/root' })).toEqual(['mongodb://ann:secret@db/']))
