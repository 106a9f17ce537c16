import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { replaceBundle } from '../../docs/generator/package/replace-bundle.ts'
import { useFolder } from '../fakes/temporary-folder.ts'

const folder = useFolder()
const [made, shipped] = [path.join(folder, 'dist-new'), path.join(folder, 'dist')]

function bundle(place: string, files: Readonly<Record<string, string>>): void {
  mkdirSync(path.join(place, 'cli'), { recursive: true })
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(place, name), text)
}

/** What a program that starts now cannot load. */
function missing(): readonly string[] {
  const main = path.join(shipped, 'cli/main.js')
  if (!existsSync(main)) return ['cli/main.js']
  const imported = [...readFileSync(main, 'utf8').matchAll(/'\.\.\/(.*?)'/g)].map(([, name = '']) => name)
  return imported.filter((name) => !existsSync(path.join(shipped, name)))
}

test('a bundle is replaced while programs start and run', () => {
  bundle(shipped, {
    'cli/main.js': "import '../report-A.js'; import '../same-S.js'",
    'report-A.js': '',
    'same-S.js': '',
  })
  bundle(made, { 'cli/main.js': "import '../report-B.js'; import '../same-S.js'", 'report-B.js': '', 'same-S.js': '' })
  const steps: (readonly string[])[] = []
  const oldChunk: boolean[] = []
  const onStep = (): void => {
    steps.push(missing())
    // Of a program that runs. It stays until all that is new is there.
    oldChunk.push(existsSync(path.join(shipped, 'report-A.js')))
  }
  replaceBundle(made, shipped, { onStep })
  expect(steps).toEqual([[], [], [], []])
  expect(oldChunk).toEqual([true, true, true, false])
  expect(readdirSync(shipped, { recursive: true }).toSorted()).toEqual([
    'cli',
    'cli/main.js',
    'report-B.js',
    'same-S.js',
  ])
  expect(readFileSync(path.join(shipped, 'cli/main.js'), 'utf8')).toContain('report-B')
  expect(existsSync(made)).toBe(false)
})

test('the first bundle has no other to replace', () => {
  const first = path.join(folder, 'first')
  bundle(made, { 'cli/main.js': '' })
  replaceBundle(made, first)
  expect(readdirSync(first, { recursive: true })).toEqual(['cli', 'cli/main.js'])
})

test('types stay where only the code is replaced', () => {
  const both = path.join(folder, 'both')
  bundle(both, { 'cli/main.js': '', 'old.js': '', 'types-A.d.ts': '' })
  bundle(made, { 'cli/main.js': '' })
  replaceBundle(made, both, { isReplaced: (name) => !name.endsWith('.d.ts') })
  expect(readdirSync(both, { recursive: true }).toSorted()).toEqual(['cli', 'cli/main.js', 'types-A.d.ts'])
})
