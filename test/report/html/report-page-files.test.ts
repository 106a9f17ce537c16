import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pageFiles } from '../../../docs/generator/report-page.ts'

test('the script and the style that reports have are those of the sources: npm run page', async () => {
  const stale = Object.entries(await pageFiles()).filter(
    ([name, text]) => readFileSync(`fixtures/report-page/${name}`, 'utf8') !== text,
  )
  expect(stale.map(([name]) => name)).toEqual([])
})

test('the script has the licences of what is bundled in it', () => {
  const script = readFileSync('fixtures/report-page/page.js', 'utf8')
  expect(script).toMatch(
    /^\/\*!\n@kurkle\/color: Copyright .*\nchart\.js: Copyright .* Chart\.js Contributors\n\nMIT License\n\nPermission is hereby granted/,
  )
})
