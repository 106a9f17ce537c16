import { readdirSync, readFileSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { builtFiles } from './test/contract/built-files.ts'
import { LongestFirst } from './test/longest-first.ts'

/** Rooms whose code meets Node.js: threads, timers, sockets, streams, compression, processes, terminals. The others compute. */
const onNode = /^test\/(?:core|protocol|load|run|servers|traffic|verdicts|cli|micro|results|[^/]*$)/

/**
 * The unit tests that draw their values, those that start a compiler or a language server, and, because the full run has another version of
 * Node.js, those of what depends on it. `npm test` ran all others.
 */
const fullUnitTests = (): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => `test/${file}`)
    .filter(
      (file) =>
        file.startsWith('test/editor/') ||
        onNode.test(file) ||
        /fast-check|for-all|property-runs/.test(readFileSync(file, 'utf8')),
    )

// `vitest run --mode full` tries properties with 20 times as many values.
export default defineConfig(({ mode }) => ({
  // Node 20 knows `Symbol.asyncDispose` but not the `using` syntax, so the tests are lowered as the build is.
  oxc: { target: 'es2023' },
  test: {
    expect: { requireAssertions: true },
    sequence: { sequencer: LongestFirst },
    setupFiles: ['test/texts/matchers.ts'],
    projects: [
      {
        extends: true,
        plugins: [builtFiles],
        test: {
          name: 'unit',
          // What was built is imported by Node itself: that takes a third less CPU time than modules that Vitest transforms.
          server: { deps: { external: [/\/build\//] } },
          include: mode === 'full' ? fullUnitTests() : ['test/**/*.test.ts'],
          exclude: [
            'test/contract/**',
            'test/processes/**',
            'test/sample/**',
            'test/full/**',
            'test/browser/**',
            ...(mode === 'full' ? [] : ['test/editor/**']),
          ],
          globalSetup: ['test/unit-setup.ts'],
          setupFiles: ['test/property-runs.ts'],
          provide: { propertyRuns: mode === 'full' ? 2000 : 100 },
          // They change nothing outside of themselves, so modules are read once per worker and not once per file.
          isolate: false,
          // By default one core is left alone, which is half of a machine with two.
          maxWorkers: 2,
          // Properties that are tried on every spec that ships take seconds on a machine with other things to do, and 20 times as long in the full
          // run, which yields to tests with servers.
          testTimeout: mode === 'full' ? 3_600_000 : 60_000,
          hookTimeout: mode === 'full' ? 3_600_000 : 60_000,
        },
      },
      {
        extends: true,
        plugins: [builtFiles],
        test: {
          name: 'sample',
          server: { deps: { external: [/\/build\//] } },
          include: ['test/sample/**/*.test.ts'],
          globalSetup: ['test/contract/global-setup.ts'],
          setupFiles: ['test/contract/assumed-speed.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxConcurrency: 4,
          // Its only file runs beside those of the contract.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          maxWorkers: 1,
          // As below.
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        plugins: [builtFiles],
        test: {
          name: 'contract',
          // What was built is imported by Node itself.
          server: { deps: { external: [/\/build\//] } },
          include: ['test/contract/**/*.test.ts'],
          globalSetup: ['test/contract/global-setup.ts'],
          setupFiles: ['test/contract/assumed-speed.ts'],
          // Several runs of the program in one test take half a minute, and many times that on a machine that is busy.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // As above; what a file starts, it ends.
          isolate: false,
          // They wait for servers half of the time; each worker has servers of its own.
          maxWorkers: 4,
          // Projects with different numbers of workers run one after the other. The unit tests would not overlap with these in one group either:
          // a worker goes on only with files of its project, and these alone take all of two cores, a third of it for servers.
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        plugins: [builtFiles],
        test: {
          name: 'processes',
          server: { deps: { external: [/\/build\//] } },
          include: ['test/processes/**/*.test.ts'],
          globalSetup: ['test/contract/global-setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          isolate: false,
          // They wait for servers, elections and processes half of the time, and run beside those of the contract.
          maxWorkers: 4,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        plugins: [builtFiles],
        test: {
          name: 'full',
          server: { deps: { external: [/\/build\//] } },
          include: ['test/full/**/*.test.ts'],
          exclude: ['test/full/run/agents/**'],
          globalSetup: ['test/contract/global-setup.ts', 'test/full/types-setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          isolate: false,
          // They wait for servers, elections and processes half of the time.
          maxWorkers: 4,
          sequence: { groupOrder: 5 },
        },
      },
      {
        extends: true,
        plugins: [builtFiles],
        test: {
          name: 'agents',
          server: { deps: { external: [/\/build\//] } },
          include: ['test/full/run/agents/**/*.test.ts'],
          globalSetup: ['test/contract/global-setup.ts'],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Six processes that watch each other's heartbeats: beside three other files on two cores, some of these tests failed.
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
}))
