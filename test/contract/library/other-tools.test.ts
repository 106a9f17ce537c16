import { expect, test } from 'vitest'
import { run, type SpecInput } from '../../../src/entries/index.ts'
import { fencesOf, pageOf } from '../../docs/pages.ts'
import { sharedPrimary } from '../support/shared-servers.ts'

const server = sharedPrimary()

const examples = fencesOf(pageOf('docs/from-other-tools.md'), 'json spec').map((text) => JSON.parse(text) as SpecInput)

test.each(examples.map((spec) => [spec.name, spec]))('all operations of the example %s succeed', async (_, spec) => {
  const { variants } = await run(spec, { profile: 'smoke', uri: server.uri })
  const operations = variants.flatMap(({ phases }) => phases).flatMap((phase) => phase.operations)
  expect(operations.length).toBeGreaterThan(0)
  for (const { name, ok, failed, unknown } of operations) {
    expect({ name, failed, unknown }).toEqual({ name, failed: 0, unknown: 0 })
    expect(ok).toBeGreaterThan(0)
  }
})
