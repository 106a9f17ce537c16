import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { loadFunctions } from '../../../src/load/engines/load-functions.ts'
import { useFolder } from '../../fakes/temporary-folder.ts'

const folder = useFolder()
beforeAll(async () => {
  await writeFile(
    path.join(folder, 'some.mjs'),
    'export const a = () => 1\nexport function b() {}\nexport const c = 5\n',
  )
  await writeFile(path.join(folder, 'some.cjs'), 'module.exports = { a: () => 1, b() {} }\n')
  await writeFile(path.join(folder, 'none.mjs'), 'export const c = 5\n')
  await writeFile(path.join(folder, 'broken.mjs'), 'throw new Error("no database here")\n')
})

test.each(['some.mjs', './some.cjs'])('the functions of %s are what it exports by name', async (given) => {
  const { named, file } = await loadFunctions(given, folder)
  expect(Object.keys(named)).toEqual(expect.arrayContaining(['a', 'b']))
  expect(named).not.toHaveProperty('c')
  expect(file).toBe(path.join(folder, given))
})

test('functions that are handed in are of no file', async () => {
  const { named } = await loadFunctions('some.mjs', folder)
  expect(await loadFunctions(named)).toEqual({ named, file: undefined })
})

test.each([
  ['nowhere.mjs', 'function-module-missing'],
  ['none.mjs', 'function-module-empty'],
  ['broken.mjs', 'function-module-broken'],
])(
  '%s is refused without its folder in the message',
  async (given, code) => await expect(loadFunctions(given, folder)).rejects.toSay(code),
)
