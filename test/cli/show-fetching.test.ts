import { expect, test } from 'vitest'
import { showFetching } from '../../src/cli/terminal/show-fetching.ts'

const what = 'mongod 7.0.16'
const shares = [null, 0, 0.46, 1] as const

function show(rewrites: boolean): readonly string[] {
  const shown: string[] = []
  const onFetch = showFetching({
    printStatus: (text) => void shown.push(`print ${text.trim()}`),
    rewrite: (line) => void shown.push(`rewrite ${line}`),
    rewrites,
  })
  for (const share of shares) onFetch({ what, megabytes: 72.4, share })
  return shown
}

test('a fetch has a bar on a terminal, and two lines elsewhere', () => {
  expect(show(true)).toEqual([
    'rewrite fetching mongod 7.0.16, 72 MB',
    'rewrite fetching mongod 7.0.16, 72 MB ░░░░░░░░░░',
    'rewrite fetching mongod 7.0.16, 72 MB █████░░░░░',
    'print fetched mongod 7.0.16, 72 MB',
  ])
  expect(show(false)).toEqual(['print fetching mongod 7.0.16, 72 MB', 'print fetched mongod 7.0.16, 72 MB'])
})
