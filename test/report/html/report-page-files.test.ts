import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pageFiles } from '../../../src/reference/report-page.ts'

test('the script and the style that reports have are those of the sources: npm run page', async () => {
  for (const [name, text] of Object.entries(await pageFiles()))
    expect(readFileSync(`fixtures/report-page/${name}`, 'utf8') === text, name).toBe(true)
})
