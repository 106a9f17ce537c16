import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'
import { fakeCliContext, runCommandLine, runRefused } from '../fakes/fake-cli-context.ts'

const topics = readdirSync('docs').flatMap((file) =>
  file.endsWith('.md') && file !== 'README.md' ? file.replace('.md', '') : [],
)

describe('mongo-perf help', () => {
  test('shows all commands without a topic, and the options of a command', async () => {
    expect((await runCommandLine(['help'])).stdout).toSay('help')
    expect((await runCommandLine(['help', 'run'])).stdout).toSay('help-run')
  })

  test('ends the help of every command, and of those below it, with three examples', async () => {
    const { commands } = createProgram(fakeCliContext())
    const names = [...commands, ...commands.flatMap((one) => one.commands)].map((one) => one.name())
    const withOthers = names.map(async (name) => {
      const { stdout } = await runCommandLine(name === 'ycsb' ? ['import', name, '--help'] : [name, '--help'])
      const examples = stdout.split('\nExamples:\n')[1]?.trimEnd().split('\n') ?? []
      const isRunnable = examples.every((line) => line.startsWith('  mongo-perf ') && line.includes(` ${name}`))
      return isRunnable && new Set(examples).size === 3 ? [] : name
    })
    expect((await Promise.all(withOthers)).flat()).toEqual([])
  })

  test.each(topics)('says where the page %s is, offline and online', async (topic) => {
    const { stdout, stderr, code } = await runCommandLine(['help', topic])
    const [, title] = /^# (.+)$/m.exec(readFileSync(`docs/${topic}.md`, 'utf8')) ?? []
    // The help of a command of that name comes before it.
    const [first, offline = '', online] = stdout.trimEnd().split('\n').slice(-3)
    expect({ stderr, code, first }).toEqual({ stderr: '', code: 0, first: title })
    expect(existsSync(offline)).toBe(true)
    expect(online).toBe(`https://github.com/OWNER/mongo-perf/blob/main/docs/${topic}.md`)
  })

  test('finds a page by its file, and lists all of them', async () => {
    for (const topic of ['Sizing.md', 'docs/sizing.md'])
      expect((await runCommandLine(['help', topic])).stdout).toContain('Size a server')
    const { stdout } = await runCommandLine(['help', 'topics'])
    expect(topics.filter((topic) => !stdout.includes(`  ${topic} `))).toEqual([])
  })

  test('names the pages that there are, and the one that was meant', async () => {
    expect(await runRefused(['help', 'sizng'])).toSay('help-topic-unknown', {
      topics: topics.concat('topics').toSorted().join(', '),
    })
    expect(await runRefused(['help', '../package'])).toContain('There is no page or command "../package"')
  })
})
