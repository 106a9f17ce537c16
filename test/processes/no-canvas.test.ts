import { cp, readdir } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { main, startProgram } from '../../bench/start/program.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const stored = fileURLToPath(new URL('../../fixtures/invented-results/', import.meta.url))

/** A module that is loaded first, and has the canvas of another system: it is found, and its native part is not. */
const hooks = `export async function resolve(name, context, next) {
  if (name === '@napi-rs/canvas') throw new Error('Cannot find native binding')
  return next(name, context)
}`
const withoutCanvas = `data:text/javascript,${encodeURIComponent(
  `import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))`,
)}`

const folder = useFreshFolder()

test('on a system without a canvas, reports are written without images, with one warning and exit code 0', async () => {
  for (const name of ['insert-batch-size', 'hot-document'])
    await cp(path.join(stored, `${name}.json`), folder(name, 'result.json'))
  const results = ['insert-batch-size', 'hot-document'].map((name) => folder(name, 'result.json'))
  const { code, stderr } = await startProgram(['--import', withoutCanvas, main, 'report', ...results], folder(), {})
    .ended
  expect(stderr.match(/.*charts.*/g)).toSay('report-charts-not-drawn')
  expect(stderr).not.toContain('bug')
  expect(code).toBe(0)
  for (const result of results) {
    const written = await readdir(path.dirname(result))
    expect(written).toEqual(expect.arrayContaining(['report.html', 'report.md']))
    expect(written.filter((name) => name.endsWith('.png'))).toEqual([])
  }
})
