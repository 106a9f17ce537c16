import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const files = ['src', 'bench', 'docs/generator'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !/(?:spec-input|result-types)\.ts$/.test(file))
    .map((file) => path.join(folder, file)),
)

/** The matches of a pattern, as "file: match". */
const findAll = (pattern: RegExp): readonly string[] =>
  files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)].map(([found]) => `${file}: ${found}`))

test('a docstring begins with its subject or a verb', () =>
  expect(findAll(/\/\*\*\s+(?:\* )?(?:Of|That|Those|As|What|Whose|Which)\b[^\n]*/g)).toEqual([]))

test('a function is named by what it does, not by what it returns', () =>
  expect(findAll(/^(?:export )?(?:async )?(?:const|function) \w+[a-z]Of\b/gm)).toEqual([]))
