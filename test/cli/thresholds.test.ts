import { expect, test } from 'vitest'
import { runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'

test('check refuses a threshold of the command line that names nothing, with the nearest name', async () => {
  const refused = await runRefused(['check', 'quickstart', '--threshold', 'findOne.p99ms < 5'])
  expect(refused).toSay('threshold-of-unknown-metric', { threshold: 'findOne.p99ms < 5' })
})

test('check takes several that are right', async () => {
  const thresholds = ['--threshold', 'findOne.p99Ms < 5', '--threshold', 'errors == 0', '--abort-on-threshold']
  expect(await runCommandLine(['check', 'quickstart', ...thresholds])).toMatchObject({ code: 0, stderr: '' })
})

test('check and run refuse a threshold that no run can meet, for want of samples', async () => {
  const options = ['quickstart', '--profile', 'smoke', '--threshold', 'insertOne.responseP999Ms < 5']
  for (const command of ['check', 'run']) {
    const { stderr, code } = await runCommandLine([command, ...options])
    expect(stderr).toSay('threshold-wants-samples', { samples: '10,000' })
    expect(code).toBe(2)
  }
})

test('the shipped specs plan enough samples for their thresholds, also as smoke tests', async () => {
  for (const spec of ['quickstart', 'open-loop'])
    expect(await runCommandLine(['check', spec, '--profile', 'smoke'])).toMatchObject({ code: 0, stderr: '' })
})
