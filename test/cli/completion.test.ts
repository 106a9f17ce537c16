import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { completionScripts } from '../../docs/generator/completion/shells.ts'
import { runCommandLine } from '../fakes/fake-cli-context.ts'
import { useFolder } from '../fakes/temporary-folder.ts'

const folder = useFolder()

/** Has a shell complete a line as it does at its prompt. */
const completers = {
  bash: (script: string, words: readonly string[]) => `source ${script}
COMP_WORDS=(mongo-perf ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}
_mongo_perf; printf '%s\\n' "\${COMPREPLY[@]}"`,
  fish: (script: string, words: readonly string[]) => `source ${script}; complete -C 'mongo-perf ${words.join(' ')}'`,
  // zsh completes at a prompt alone: the functions that show what there is print it instead.
  zsh: (
    script: string,
    words: readonly string[],
  ) => `compdef() { :; }; compset() { local cur=$words[CURRENT]; words[CURRENT]=\${cur##*,}; }
_files() { :; }; _describe() { local word; for word in $list; do word=\${word%%:*}; [[ $word == $words[CURRENT]* ]] && print -r -- $word; done; }
source ${script}; words=(mongo-perf ${words.map((word) => `'${word}'`).join(' ')}); CURRENT=${words.length + 1}; _mongo_perf; true`,
} as const

const isHere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

describe.each(Object.keys(completers) as (keyof typeof completers)[])('%s', (shell) => {
  const script = path.join(folder, shell)

  async function complete(...words: readonly string[]): Promise<readonly string[]> {
    const { stdout, code } = await runCommandLine(['completion', shell])
    expect(code).toBe(0)
    writeFileSync(script, stdout)
    const shown = execFileSync(shell, ['-c', completers[shell](script, words)], { cwd: folder, encoding: 'utf8' })
    return shown.split('\n').flatMap((line) => (line === '' ? [] : (line.split('\t')[0] ?? '')))
  }

  test.runIf(isHere(shell)).each([
    [[''], ['run', 'check', 'import', 'completion', '--version'], ['ycsb', 'quickstart']],
    [['import', ''], ['ycsb'], ['run']],
    [['import', 'ycsb', '--th'], ['--throttled'], ['--threads']],
    [['run', 'quick'], ['quickstart'], ['durable-inserts', '--quiet']],
    [
      ['run', 'quickstart', '--format', ''],
      ['text', 'junit', 'bencher'],
      ['quickstart', '--out'],
    ],
    [['run', '--engine', 'w'], ['wire'], ['driver']],
    [['report', 'result.json', '--columns', 'p99'], ['p99Ms'], ['meanMs']],
    [['report', 'result.json', '--columns', 'wait'], ['waitP99Ms'], ['waitP50Ms', 'waitMeanMs']],
    [['run', 'quickstart', '--profile', 's'], ['smoke'], ['published']],
    [['run', 'quickstart', '--set', 'doc'], ['documents='], ['--document']],
    [['ab', 'quickstart', '--b', 'eng'], ['engine:'], ['uri:']],
    [['run', 'quickstart', '--threshold', 'p99'], ['p99Ms'], ['meanMs']],
    [['list', 'f'], ['faults', 'functions'], ['specs']],
    [['help', 'siz'], ['size', 'sizing'], ['run']],
  ])('completes %j', async (words, shown, hidden) => {
    const found = await complete(...words)
    expect(found).toEqual(expect.arrayContaining(shown))
    expect(found.filter((word) => hidden.includes(word))).toEqual([])
  })

  test.runIf(isHere(shell))('completes the last of several columns', async () => {
    const [found] = await complete('report', 'result.json', '--columns', 'docsPerSecond,p999')
    expect(found?.replace('docsPerSecond,', '')).toBe('p999Ms')
  })

  test.runIf(isHere(shell))('is a script without errors', async () => {
    await complete('')
    expect(spawnSync(shell, ['-n', script], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })
})

test('scripts are those that `npm run docs` writes', async () => {
  for (const [file, text] of Object.entries(await completionScripts())) {
    const isStale = readFileSync(`fixtures/completion/${file}`, 'utf8') !== text
    expect(isStale, `fixtures/completion/${file} is stale: run \`npm run docs\``).toBe(false)
  }
})

test('a shell that is not known is refused with those that are', async () => {
  const { stderr, code } = await runCommandLine(['completion', 'tcsh'])
  expect([code, stderr]).toEqual([2, expect.toSay('completion-shell-unknown')])
})
