import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { aProject, ofProgram } from './a-project.ts'
import { LanguageServer, type Position } from './language-server.ts'

/** A program of a user. Behind each `|` is a name over which an editor shows something. */
const marked = `
import { |ab, |defineSpec, |loadSpec, |report, |run, type |Result, type |RunOptions } from '${ofProgram('src/entries/index.ts')}'
import { |measure, |measureInTurn, |verify } from '${ofProgram('src/entries/testing.ts')}'

const given = defineSpec({
  |name: 'orders',
  |target: { |kind: 'replicaSet', |members: [{ |priority: 2 }], |server: { |cacheGB: 1 } },
  |data: { |collection: 'orders', |rows: 1000, |document: { _id: { '@row': {} }, n: { |'@int': { |max: 9 } } } },
  |phases: [
    {
      |load: { kind: 'closed', |workers: { |'@param': 'workers' } },
      |stopAfter: { |seconds: 2 },
      |operations: [
        { kind: 'findOne', |filter: { _id: 1 }, |weight: 2 },
        { kind: 'transaction', |steps: [{ kind: 'updateOne', |update: { $inc: { n: 1 } }, |abortWhen: {} }] },
      ],
      |faults: [{ kind: 'kill', |atSeconds: 1 }],
      |writeConcern: { |w: 1 },
    },
  ],
  |checks: [{ kind: 'countMatches' }],
  |report: { |tables: [{ title: 't', |columns: [{ |metric: 'p99Ms' }] }] },
})
const { |variants, |warnings } = await run(given)
const |variant = variants.at(0)
const |phase = variant?.phases.at(0)
const |operation = phase?.operations.at(0)
const |warning = warnings.at(0)
`

const places: readonly { readonly name: string; readonly position: Position }[] = marked
  .split('\n')
  .flatMap((row, line) =>
    [...row.matchAll(/\|'?(@?\w+)/g)].map(({ index, 1: name = '' }, marksBefore) => ({
      name,
      position: { line, character: index - marksBefore },
    })),
  )

/** What an editor shows: code, and Markdown below it. */
type Hover = { readonly type: string; readonly documentation: string }

function hoverOf(markdown: string): Hover {
  const [, type = '', documentation = ''] = /^```typescript\n(.*)\n```\n(.*)$/s.exec(markdown) ?? []
  return { type, documentation }
}

let hovers: ReadonlyMap<string, Hover>

beforeAll(async () => {
  await using project = await aProject({ 'program.ts': marked.replaceAll('|', '') })
  await using server = await LanguageServer.start(project.folder)
  const file = path.join(project.folder, 'program.ts')
  await server.open(file)
  const shown = places.map(async ({ name, position }) => {
    const markdown = await server.hover(file, position)
    return [name, hoverOf(markdown)] as const
  })
  hovers = new Map(await Promise.all(shown))
})

const typeOver = (name: string): string | undefined => hovers.get(name)?.type

describe('what an editor shows', () => {
  test.each([
    ['run', 'function run<On = FunctionOn>(spec: string | SpecInput, options?: RunOptions<On>): Promise<Result>'],
    ['phases', '(property) SpecInput.phases: Expression | readonly (AnyExpression | Phase)[]'],
    [
      'operations',
      '(property) Phase.operations?: Expression | readonly (AnyExpression | Operation)[] | null | undefined',
    ],
    ['filter', '(property) FindOneCall.filter?: Value | undefined'],
    ['update', '(property) UpdateOneCall.update: Value'],
    ['workers', '(property) ClosedLoad.workers: number | Expression'],
    ['@int', '(property) Expression["@int"]?: AnyExpression | IntArguments | undefined'],
    ['variants', 'const variants: VariantResult[]'],
    ['phase', 'const phase: PhaseResult | undefined'],
    ['operation', 'const operation: OperationResult | undefined'],
    ['warning', 'const warning: Warning | undefined'],
  ])('over %s is a type by its name', (name, type) =>
    expect(typeOver(name)).toBe(type.startsWith('function') ? `(alias) ${type}` : type),
  )

  test.each(places)('over $name is short, and no conditional type', ({ name }) => {
    expect(typeOver(name)).not.toBe('')
    expect(typeOver(name)).not.toMatch(/ extends .* \? | infer /s)
    expect(typeOver(name)?.length).toBeLessThan(400)
  })

  const ofResult = new Set(['variants', 'warnings', 'variant', 'phase', 'operation', 'warning'])

  test.each(places.filter(({ name }) => !ofResult.has(name)))('over $name is its documentation', ({ name }) =>
    expect(hovers.get(name)?.documentation).toMatch(/^[A-Z].*\./s),
  )
})
