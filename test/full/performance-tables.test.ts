import { readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { workplace } from '../contract/support/program.ts'

const maxMs = 1_800_000
const maxBytes = 2 * 1024 ** 2

test(
  'the whole document of performance tables, at the sizes of "smoke"',
  async () => {
    await using place = await workplace()
    const { code, stderr } = await place.run(
      ['run', 'performance-tables', '--profile', 'smoke', '--compact', '--reference', '--into', 'P.md'],
      { CI: 'true' },
    )
    // Where control groups may not be set, three sections say so and the others go on.
    const notHere = stderr.match(/ was not measured: /g) ?? []
    expect({ code, notHere: notHere.length, stderr }).toEqual({
      ...(notHere.length === 0 ? { code: 0, notHere: 0 } : { code: 4, notHere: 3 }),
      stderr,
    })

    const document = await readFile(path.join(place.folder, 'P.md'), 'utf8')
    const headings = document.match(/^## .*/gm) ?? []
    expect(headings).toHaveLength(16)
    const count = (part: string): number => document.match(new RegExp(`^### ${part}$`, 'gm'))?.length ?? 0
    const whereMeasured = ['Performance', 'Analysis', 'Key Takeaways']
    expect(whereMeasured.map(count)).toEqual(whereMeasured.map(() => 14 - notHere.length))
    // Nothing was published on the resources of three sections.
    expect(count('Resource Usage')).toBe(11 - notHere.length)
    expect(document.match(/^# .*/gm)).toHaveLength(5)
    expect(document).not.toMatch(/undefined|NaN|\[object|TODO|\{\{/)
    expect(document.match(/\*\*Not measured here:\*\*/g) ?? []).toHaveLength(notHere.length)

    // The texts are about the stored results: rows of another size need not agree with them, but no block may be older.
    const checked = await place.run(['check', '--document', 'P.md'])
    const faults = checked.stdout
      .split('\n')
      .filter((line) => line !== '' && !line.includes(' does not hold of the result: '))
    expect({ code: checked.code, faults }).toEqual({ code: 5, faults: [] })
    const results = path.join(place.folder, 'mongo-perf-results')
    const files = (await readdir(results)).map((name) => path.join(results, name, 'result.json'))
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size))
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(maxBytes)
    expect(await readFile(files[0] ?? '', 'utf8')).not.toContain(place.folder)
  },
  maxMs,
)
