import { readdir, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { writeCharts } from '../../src/cli/results/write-report.ts'
import { Problem } from '../../src/core/errors.ts'
import { createCharts } from '../../src/report/charts/charts.ts'
import { evaluateReport } from '../../src/report/definition/report-spec.ts'
import { fakeCliContext } from '../fakes/fake-cli-context.ts'
import { storedResult } from '../fakes/stored-results.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const inFolder = useFreshFolder()
const charts = createCharts(evaluateReport(storedResult('quickstart')))
const broken = () => Promise.reject(new TypeError('of ours'))
const cannotDraw = () => Promise.reject(new Problem('no-canvas', 'charts cannot be drawn', { hint: 'Reinstall.' }))

test('where nothing can be drawn, one warning says so for all reports of a command, and no old image stays', async () => {
  const cli = fakeCliContext()
  const [first] = charts
  await writeFile(inFolder(first?.file ?? ''), 'an older picture')
  await writeCharts(charts, inFolder(), cli, cannotDraw)
  await writeCharts(charts, inFolder(), cli, cannotDraw)
  expect(cli.output.stderr).toSay('charts-not-drawn-warning')
  expect(await readdir(inFolder())).toEqual([])
})

test('a mistake in drawing is a bug, and thrown', async () =>
  await expect(writeCharts(charts, inFolder(), fakeCliContext(), broken)).rejects.toThrow(TypeError))
