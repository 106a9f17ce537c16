import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { workplace } from '../support/program.ts'

type Coverage = { readonly result: readonly { readonly url: string }[] }

test('help loads the command line and nothing behind it', async () => {
  await using place = await workplace()
  const folder = path.join(place.folder, 'coverage')
  expect((await place.run(['run', '--help'], { NODE_V8_COVERAGE: folder })).code).toBe(0)
  const [file = ''] = await readdir(folder)
  const { result } = JSON.parse(await readFile(path.join(folder, file), 'utf8')) as Coverage
  const loaded = result.map(({ url }) => url).filter((url) => url.startsWith('file:'))
  expect(loaded.some((url) => url.endsWith('/dist/cli/program.js'))).toBe(true)
  const expected = /\/node_modules\/commander\/|\/dist\/cli\/|\/dist\/(errors|versions|values\/keys)\.js$/
  expect(loaded.filter((url) => !expected.test(url))).toEqual([])
})
