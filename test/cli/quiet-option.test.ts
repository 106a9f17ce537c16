import { readdir } from 'node:fs/promises'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { formatOption, quietly, quietOption } from '../../src/cli/options/output-options.ts'
import { printComparison } from '../../src/cli/results/print-comparison.ts'
import { compareResults } from '../../src/report/comparison/compare-results.ts'
import { type Result } from '../../src/results/schema.ts'
import { around, resultWith } from '../fakes/compared-results.ts'
import { fakeCliContext } from '../fakes/fake-cli-context.ts'
import { useFreshFolder } from '../fakes/temporary-folder.ts'

const parsed = (args: readonly string[]): Command =>
  new Command().addOption(formatOption).addOption(quietOption).parse(args, { from: 'user' })

function outputOf(args: readonly string[]): string {
  const cli = fakeCliContext()
  quietly(cli, parsed(args)).print('the report')
  return cli.output.stdout
}

test.each([
  [[], 'the report'],
  [['--quiet'], ''],
  [['--quiet', '--format', 'csv'], 'the report'],
  [['--format', 'md', '-q'], 'the report'],
])('%j prints "%s"', (args, printed) => expect(outputOf(args)).toBe(printed))

test('a quiet context has all else of the other, and does not take signals', () => {
  const cli = {
    ...fakeCliContext(),
    get stop(): AbortSignal {
      throw new Error('It was read')
    },
  }
  const quiet = quietly(cli, parsed(['-q']))
  quiet.printStatus('a warning')
  quiet.exitWith(5)
  expect(cli.output).toMatchObject({ stderr: 'a warning', code: 5 })
})

const base = resultWith({ '': around(1000) })
const slower = resultWith({ '': around(900) })

const inFolder = useFreshFolder()

test.each<[string, Result, unknown, number]>([
  ['the outcome where B is worse', slower, expect.toSay('compared-worse'), 5],
  ['nothing where it is not', base, '', 0],
])('a quiet comparison writes its files, and prints %s', async (_, b, printed, code) => {
  const cli = fakeCliContext()
  const compared = { a: [base], b: [b], comparison: compareResults(base, b) }
  await printComparison(compared, { format: 'text', strict: false, out: inFolder(), html: undefined, quiet: true }, cli)
  expect(cli.output).toMatchObject({ stderr: printed, code })
  expect(await readdir(inFolder())).toContain('comparison.md')
})
