import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'
import { commandName, programCommands } from '../../docs/generator/commands-page.ts'
import { runRefused } from '../fakes/fake-cli-context.ts'

/** All texts of a parsed YAML. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

test.each(['github', 'gitlab'])('the pipeline for %s is YAML whose commands and options exist', (ci) => {
  const document = parseDocument(readFileSync(`fixtures/ci/${ci}.yml`, 'utf8'), { strict: true, uniqueKeys: true })
  expect([...document.errors, ...document.warnings]).toEqual([])
  const lines = textsIn(document.toJS()).flatMap((text) => text.match(/(?<=npx mongo-perf )[^>\n]*/g) ?? [])
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['doctor', 'ab'])
  for (const line of lines) {
    const [name, ...words] = line.trim().split(' ')
    const command = programCommands().find((each) => commandName(each) === name)
    expect(command?.parseOptions(words).unknown).toEqual([])
  }
})

test.each([
  ['init-ci-spec', ['init', '--ci', 'github', '../shop.json'], { spec: '../shop.json' }],
  ['init-ci-spec', ['init', '--ci', 'gitlab', 'a b.json'], { spec: 'a b.json' }],
  ['init-ci-with-spec', ['init', '--ci', 'github', '--from', 'shop.orders'], {}],
] as const)('%s: %j is refused', async (code, args, data) => expect(await runRefused(args)).toSay(code, data))
