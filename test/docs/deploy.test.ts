import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { programCommands } from '../../docs/generator/commands-page.ts'
import { createMetrics } from '../../src/run/live/metrics.ts'
import { aSecond } from '../run/live/a-second.ts'
import { fencesOf, pageOf } from './pages.ts'

const root = new URL('../../', import.meta.url)
const folder = new URL('fixtures/deploy/', root)
const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8')

const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { readonly version: string }
/** What a file says that we could not try. */
const notRun = '# Not run by us: '
const page = pageOf('docs/agents-in-containers.md')
const manifests = readdirSync(folder).filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')

type Container = {
  readonly image: string
  readonly entrypoint?: readonly string[]
  readonly command?: readonly string[]
  readonly args?: readonly string[]
}

/** All containers of Compose services and Kubernetes objects: whatever names an image. */
function containersIn(value: unknown): readonly Container[] {
  if (typeof value !== 'object' || value === null) return []
  return 'image' in value ? [value as Container] : Object.values(value).flatMap(containersIn)
}

const documentsIn = (file: string): readonly unknown[] => {
  const documents = parseAllDocuments(textOf(file), { strict: true, uniqueKeys: true })
  expect(documents.flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([])
  return documents.map((document) => document.toJS() as unknown)
}

/** What a container runs of mongo-perf, without its name. Undefined: another program. */
function commandLineOf({ entrypoint, command = [], args = [] }: Container): readonly string[] | undefined {
  const [program, ...first] = entrypoint ?? []
  if (program === 'mongo-perf') return [...first, ...command]
  return entrypoint === undefined && args.length > 0 ? args : command[0] === 'agent' ? command : undefined
}

/** The words of a command line that its command does not take. */
function unknownIn([name = '', ...words]: readonly string[]): readonly string[] {
  const command = programCommands().find((each) => each.name() === name)
  return command === undefined ? [name] : command.parseOptions([...words]).unknown
}

describe.each(manifests)('fixtures/deploy/%s', (file) => {
  const containers = documentsIn(file).flatMap(containersIn)

  test('is YAML with containers whose images have a version', () => {
    expect(containers.length).toBeGreaterThan(0)
    for (const { image } of containers) expect(image).toMatch(/^[a-z/-]+:\d+\.\d+/)
  })

  test('runs this version of mongo-perf', () => {
    const own = containers.flatMap(({ image }) => (image.startsWith('mongo-perf:') ? image : []))
    expect(new Set(own)).toEqual(new Set([`mongo-perf:${version}`]))
  })

  test('has no password and no URI', () => expect(textOf(file)).not.toMatch(/mongodb(\+srv)?:|rediss?:|requirepass/))

  test('states in its first lines that we have not run it', () =>
    expect(textOf(file).split('\n').slice(0, 3).join('\n')).toContain(notRun))
})

test('the dashboard shows metrics that there are', async () => {
  const { observe, text } = createMetrics()
  void observe(aSecond({ openLoop: { dropped: 1, late: 1, response: null } }))
  const known = new Set(text().match(/^mongo_perf_\w+/gm))
  const dashboard = JSON.parse(textOf('grafana-dashboard.json')) as {
    readonly panels: readonly { readonly id: number; readonly targets: readonly { readonly expr: string }[] }[]
  }
  const shown = new Set(JSON.stringify(dashboard).match(/mongo_perf_\w+/g))
  expect([...shown].filter((name) => !known.has(name))).toEqual([])
  const series = [...known].map((name) => name.replace(/_(?:sum|count)$/, '_bucket'))
  expect(series.filter((name) => !shown.has(name))).toEqual([])
  for (const { targets } of dashboard.panels) expect(targets.every(({ expr }) => isBalanced(expr))).toBe(true)
})

const isBalanced = (text: string): boolean =>
  ['()', '{}', '[]'].every(([open = '', close = '']) => text.split(open).length === text.split(close).length)

test('all command lines of agents and runs are those of the program', () => {
  const lines = manifests.flatMap((file) =>
    documentsIn(file)
      .flatMap(containersIn)
      .flatMap((container) => {
        const line = commandLineOf(container)
        return line === undefined ? [] : [line]
      }),
  )
  expect(lines.map(([name]) => name).toSorted()).toEqual(['agent', 'agent', 'run', 'run'])
  expect(lines.flatMap(unknownIn)).toEqual([])
})

test('commands of the page that run mongo-perf in containers are those of the program', () => {
  const shell = fencesOf(page, 'sh').flatMap((text) => text.split('\n'))
  const lines = shell.flatMap((line) => {
    const run = / (?:mongo-perf:\S+|--rm (?=run )) ?(.*)$/.exec(line)?.[1]
    return run === undefined || run === '.' ? [] : [run.split(' ')]
  })
  expect(lines.map(([name]) => name)).toEqual(['run', 'agent', 'run'])
  expect(lines.flatMap(unknownIn)).toEqual([])
})

test('the page names each secret, file and object that the manifests take from elsewhere', () => {
  const taken = manifests.flatMap((file) =>
    [
      ...textOf(file).matchAll(
        /(?:secretName|secretRef: \{ name|configMap: \{ name|env_file|file): (?:\.\/)?([\w.-]+)/g,
      ),
    ].map(([, name = '']) => name),
  )
  expect(new Set(taken)).toEqual(
    new Set(['users.acl', 'mongo-perf.env', 'mongo-perf', 'mongo-perf-valkey', 'mongo-perf-spec']),
  )
  const shell = fencesOf(page, 'sh').join('\n')
  for (const name of taken) expect(shell).toMatch(new RegExp(` ${name.replaceAll('.', '\\.')}( |$)`, 'm'))
})

test('the image is built from the clone, with a Node that it supports, and runs as no root', () => {
  const dockerfile = textOf('Dockerfile')
  expect(dockerfile).toContain(notRun)
  expect(dockerfile).toMatch(/^ARG NODE=24$/m)
  expect(dockerfile.match(/^FROM .*/gm)).toEqual([
    'FROM node:${NODE}-bookworm-slim AS package',
    'FROM node:${NODE}-bookworm-slim',
  ])
  expect(dockerfile.match(/^USER .*/gm)).toEqual(['USER node'])
  expect(dockerfile).toContain('COPY --chmod=755 fixtures/deploy/agent-health.sh ')
  expect(page).toContain(`mongo-perf:${version}`)
})
