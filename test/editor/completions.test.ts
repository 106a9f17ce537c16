import path from 'node:path'
import { expect, test } from 'vitest'
import { aProject, ofProgram } from './a-project.ts'
import { LanguageServer } from './language-server.ts'

const head = `import { defineSpec } from '${ofProgram('src/spec/define-spec.ts')}'`

/** A spec with the phase that is being written. */
const around = (phase: string): string => `defineSpec({ name: 'x', phases: [{ name: 'y', ${phase} }] })`

/** What an editor offers at each `|`, each in a file of its own. */
async function offered(phases: readonly string[]): Promise<readonly (readonly string[])[]> {
  const files = phases.map((phase, i) => [`phase${i}.ts`, `${head}\n${around(phase.replace('|', ''))}`] as const)
  await using project = await aProject(Object.fromEntries(files))
  await using server = await LanguageServer.start(project.folder)
  const offers: (readonly string[])[] = []
  for (const [i, phase] of phases.entries()) {
    const file = path.join(project.folder, `phase${i}.ts`)
    await server.open(file)
    offers.push(await server.completions(file, { line: 1, character: around(phase).indexOf('|') }))
  }
  return offers
}

test('an editor offers the keys of a part, its kinds, and keywords where a value is computed', async () => {
  const [ofLoad, kinds, ofOperation, ofNumber, ofValue] = await offered([
    "load: { kind: 'closed', | }",
    "operations: [{ kind: '|' }]",
    "operations: [{ kind: 'findOne', | }]",
    "load: { kind: 'closed', workers: { | } }",
    "operations: [{ kind: 'findOne', filter: { _id: { | } } }]",
  ])
  expect(ofLoad?.toSorted()).toEqual(['maxRatePerSecond?', 'threads?', 'workers'])
  expect(kinds).toEqual(expect.arrayContaining(['findOne', 'steps', 'changeStream']))
  expect(ofOperation).toEqual(expect.arrayContaining(['filter?', 'projection?', 'weight?']))
  expect(ofOperation).not.toContain('update?')
  expect(ofOperation?.filter((key) => key.includes('@'))).toEqual([])
  expect(ofNumber).toContain('"@param"?')
  expect(ofValue).toContain('"@key"?')
})
