import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Problem } from '../../src/core/errors.ts'
import { loadSpecText } from '../../src/spec/load-spec.ts'

type Tasks = {
  readonly tasks: readonly {
    readonly label: string
    readonly problemMatcher: { readonly pattern: { readonly regexp: string } }
  }[]
}

const readTasks = (file: string): Tasks['tasks'] =>
  (JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')) as Tasks).tasks

/** The tasks of this repository, and those that `init --editor` writes. */
const tasks = [...readTasks('.vscode/tasks.json'), ...readTasks('fixtures/editor/tasks.json')]

function messageOf(text: string): string {
  try {
    loadSpecText(text, 'fixtures/specs/mine.json')
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
  throw new Error('The spec was accepted')
}

test.each(['Check this spec', 'Run this spec', 'mongo-perf: check this spec', 'mongo-perf: run this spec'])(
  'the problem matcher of "%s" finds every line of what we print',
  (label) => {
    const pattern = new RegExp(tasks.find((task) => task.label === label)?.problemMatcher.pattern.regexp ?? '')
    const lines = messageOf('{\n  "name": "Bad Name",\n  "phasen": [],\n  "phases": []\n}').split('\n')

    const places = lines.map((line) => pattern.exec(line)?.slice(1, 4).join(' '))
    expect(places.toSorted()).toEqual([
      'fixtures/specs/mine.json 2 11',
      'fixtures/specs/mine.json 3 3',
      'fixtures/specs/mine.json 4 13',
    ])
  },
)
