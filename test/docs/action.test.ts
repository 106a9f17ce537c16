import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parseDocument } from 'yaml'

type Action = {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly required?: boolean }>>
  readonly outputs: Readonly<Record<string, { readonly value: string }>>
  readonly runs: { readonly using: string; readonly steps: readonly Readonly<Record<string, unknown>>[] }
}

const text = readFileSync('action.yml', 'utf8')
const document = parseDocument(text, { strict: true, uniqueKeys: true })
const { inputs, outputs, runs } = document.toJS() as Action

test('the action is YAML with the keys that a composite action has', () => {
  expect([...document.errors, ...document.warnings]).toEqual([])
  expect(Object.keys(document.toJS() as object)).toEqual([
    'name',
    'description',
    'branding',
    'inputs',
    'outputs',
    'runs',
  ])
  const keys = new Set(['name', 'id', 'if', 'uses', 'with', 'run', 'shell', 'env', 'working-directory'])
  expect(runs.steps.flatMap((step) => Object.keys(step).filter((key) => !keys.has(key)))).toEqual([])
  for (const step of runs.steps) expect('run' in step).toBe('shell' in step)
})

test('its steps read the inputs and outputs that there are, and none of them as code', () => {
  const read = [...text.matchAll(/\$\{\{ inputs\.([\w-]+) \}\}/g)].map(([, name]) => name)
  expect(new Set(read)).toEqual(new Set(Object.keys(inputs)))
  for (const [name, { value }] of Object.entries(outputs)) expect(value).toBe(`\${{ steps.measure.outputs.${name} }}`)
  for (const { run = '' } of runs.steps) expect(run).not.toContain('${{')
})
