import { cp, readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, test } from 'vitest'
import { runCommandLine } from '../fakes/fake-cli-context.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const stored = fileURLToPath(new URL('../../fixtures/invented-results/', import.meta.url))

const inFolder = useFreshFolder()
beforeEach(() => cp(path.join(stored, 'insert-batch-size.json'), inFolder('result.json')))

const draw = (...args: readonly string[]) => runCommandLine(['report', inFolder('result.json'), ...args])

describe('charts for slides', () => {
  test('are drawn as SVG of the wanted width, and everything else stays as it is', async () => {
    const { stdout, code } = await draw('--svg', '--width', '1600', '--theme', 'dark', '--title', 'Batches pay')
    expect([code, stdout]).toEqual([0, ''])
    const [file, ...others] = (await readdir(inFolder())).filter((name) => name !== 'result.json')
    expect([file, others]).toEqual([expect.stringMatching(/-slide\.svg$/), []])
    const svg = await readFile(inFolder(file ?? ''), 'utf8')
    expect(svg).toMatch(/<svg[^>]* width="1600"/)
    expect(svg).toContain('fill="#0D1117"')
  })

  test('are PNG of twice the width by default, beside those of the report', async () => {
    await draw('--width', '500')
    const file = (await readdir(inFolder())).find((name) => name.endsWith('-slide.png'))
    const png = await readFile(inFolder(file ?? ''))
    expect(png.readUInt32BE(16)).toBe(1000)
  })

  test.each([
    [['--width', '399'], 2],
    [['--theme', 'blue'], 2],
    [['--svg', '--columns', 'p99Ms'], 2],
    [['--svg', '--into', 'P.md'], 2],
  ])('refuse %j', async (args, expected) => {
    expect((await draw(...args)).code).toBe(expected)
    expect(await readdir(inFolder())).toEqual(['result.json'])
  })
})
