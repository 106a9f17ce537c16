import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'

type Room = { readonly room: string; readonly storey: 'core' | 'faces' | 'tools'; readonly lines: number }

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

/** The rooms of `src/`, from the one that all others import to the one that none does, each with its budget of hand-written lines. */
const rooms = readJson('test/house/rooms.json') as readonly Room[]
const names = rooms.map(({ room }) => room)

const generated: ReadonlySet<string> = new Set(['result-types.ts', 'spec-input.ts'])

const filesOf = (room: string): readonly string[] =>
  readdirSync(path.join('src', room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:ts|cjs)$/.test(file) && !generated.has(path.basename(file)))
    .map((file) => path.join('src', room, file))

const countLines = (room: string): number =>
  filesOf(room).reduce((sum, file) => sum + readFileSync(file, 'utf8').split('\n').length - 1, 0)

test('every folder of src/ is a room', () => expect(readdirSync('src').toSorted()).toEqual(names.toSorted()))

test.each(rooms)('$room has at most $lines lines', ({ room, lines }) => {
  const counted = countLines(room)
  expect(
    counted <= lines,
    `src/${room} has ${counted} lines, its budget in test/house/rooms.json is ${lines}: find ${counted - lines} lines in this room, or raise the budget in the same commit and say why there`,
  ).toBe(true)
})

describe('the linter', () => {
  const { overrides } = readJson('.oxlintrc.json') as {
    readonly overrides: readonly { readonly files: readonly string[]; readonly rules: object }[]
  }

  test.each(names.slice(0, -1))('refuses imports of %s from rooms that come after it', (room) => {
    const rules = overrides.find(({ files }) => files.includes(`src/${room}/**`))?.rules
    const later = names.slice(names.indexOf(room) + 1).join('|')
    expect(JSON.stringify(rules)).toContain(JSON.stringify(`^(\\.\\./)+(${later})/`))
  })

  test('lets no room of the core import a face or a tool', () => {
    const lastOfCore = rooms.findLastIndex(({ storey }) => storey === 'core')
    expect(rooms.slice(0, lastOfCore).filter(({ storey }) => storey !== 'core')).toEqual([])
  })
})
