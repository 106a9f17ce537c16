import { readFileSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { types } from 'node:util'
import vm from 'node:vm'
import { isObject, type Json, type JsonObject } from '../../core/json.ts'
import {
  isChosen,
  maxRecordedBytes,
  type RecordedSetup,
  type Recording,
  type RefusedTest,
  type RecordedTest,
  type RecordMessage,
  type RecordRequest,
  Unsupported,
  wholeFile,
} from './recorded.ts'
import { Recorder } from './recorder.ts'
import { createShell } from './shell.ts'
import { toJson } from './to-json.ts'

/** A test case as a file writes it. */
type WrittenTest = {
  readonly name: string
  readonly pre?: (collection: unknown, env: object) => unknown
  readonly ops: readonly unknown[]
  readonly post?: (collection: unknown, env: object) => unknown
}

/** Reads a file, so that tests need none. */
export type ReadFile = (path: string) => string

/**
 * Runs a file of test cases in a context of its own, with a stand-in of the shell that records, and reports what each of its
 * tests does. A context is no wall against code that means harm: the caller runs this in a process of its own, after its user agreed.
 * @throws {Error} with the reason, if the file itself cannot be run.
 */
export function recordFile(
  request: RecordRequest,
  onMessage: (message: RecordMessage) => void,
  read: ReadFile = (path) => readFileSync(path, 'utf8'),
): void {
  const sandbox = createSandbox(request, read)
  for (const file of request.before) sandbox.run(file)
  sandbox.run(request.file)
  const tests = sandbox.tests().filter(({ name }) => isChosen(name, request.tests))
  onMessage({ kind: 'names', names: tests.map(({ name }) => name) })
  for (const test of tests.slice(request.from))
    onMessage({ kind: 'recording', recording: createRecording(test, sandbox, request) })
}

function createRecording(test: WrittenTest | RefusedTest, sandbox: ShellSandbox, request: RecordRequest): Recording {
  if (!('ops' in test)) return test
  try {
    return { kind: 'recorded', test: recordTest(test, sandbox, request) }
  } catch (error) {
    return { kind: 'refused', name: test.name, reason: describeRecordingError(error) }
  }
}

/** A context with the shell, and what can be done in it. */
type ShellSandbox = {
  readonly run: (file: string) => void
  readonly tests: () => readonly (WrittenTest | RefusedTest)[]
  readonly collection: (name: string) => unknown
  /** Calls a function of the file, and returns what it recorded. */
  readonly record: (call: () => unknown) => RecordedSetup
}

function createSandbox(request: RecordRequest, read: ReadFile): ShellSandbox {
  const { folder, seconds } = request
  const createRecorder = (): Recorder => new Recorder(maxRecordedBytes(request))
  let recorder = createRecorder()
  const timeout = seconds * 1000
  const shell = createShell(() => recorder, load)
  // Text cannot become code, and promises end before the script does, so that its time limit holds for them.
  const context = vm.createContext(
    { ...shell.globals },
    { codeGeneration: { strings: false, wasm: false }, microtaskMode: 'afterEvaluate' },
  )
  for (const [name, functions] of Object.entries(shell.additions))
    Object.assign(vm.runInContext(name, context) as object, functions)

  function run(file: string): void {
    new vm.Script(read(file), { filename: relative(folder, file) }).runInContext(context, { timeout })
  }
  function load(path: string): void {
    const file = resolve(folder, path)
    if (relative(folder, file).startsWith('..')) recorder.refuse(`load(${path}), which is outside of the checkout`)
    run(file)
  }
  const call = new vm.Script('__call()')
  return {
    run(file) {
      recorder = createRecorder()
      run(file)
      recorder.recorded()
    },
    tests: () => readTests((context as { readonly tests?: unknown }).tests),
    collection: (name) => (shell.db as { readonly getCollection: (name: string) => unknown }).getCollection(name),
    record(work) {
      recorder = createRecorder()
      Object.assign(context, { __call: work })
      const returned: unknown = call.runInContext(context, { timeout })
      if (types.isPromise(returned)) recorder.refuse('an asynchronous function')
      return recorder.recorded()
    },
  }
}

const refused = (name: string, reason: string): RefusedTest => ({ kind: 'refused', name, reason })

function readTests(given: unknown): readonly (WrittenTest | RefusedTest)[] {
  const listed = Array.isArray(given) ? (given as readonly unknown[]) : []
  return listed.length === 0 ? [refused(wholeFile, 'has no tests')] : listed.map(readTest)
}

function readTest(test: unknown, index: number): WrittenTest | RefusedTest {
  const { name, ops } = (isObject(test as Json) ? test : {}) as Partial<WrittenTest>
  if (typeof name !== 'string') return refused(`(test ${index + 1})`, 'has no name')
  if (!Array.isArray(ops)) return refused(name, 'has no list "ops"')
  return test as WrittenTest
}

/** Names the collection as the official runner does, for one database. */
export const collectionName = (test: string): string =>
  `${test
    .replaceAll(/\W/g, '_')
    .replace(/^(?=\d)/, '_')
    .slice(0, 60)}0`

function recordTest(test: WrittenTest, sandbox: ShellSandbox, { threads }: RecordRequest): RecordedTest {
  const name = collectionName(test.name)
  let readsThreads = false
  const recordFor = (count: number, call: WrittenTest['pre']): RecordedSetup =>
    sandbox.record(() => call?.call(test, sandbox.collection(name), envOf(count)))
  const envOf = (count: number): object => ({
    get threads(): number {
      readsThreads = true
      return count
    },
  })
  const [first = 1, ...others] = threads
  const ops = test.ops.map((op) => toJson(op) as JsonObject)
  const pre = recordFor(first, test.pre)
  const setups = readsThreads
    ? [{ threads: [first], pre }, ...others.map((count) => ({ threads: [count], pre: recordFor(count, test.pre) }))]
    : [{ threads, pre }]
  return { name: test.name, collection: name, setups, ops, post: recordFor(first, test.post) }
}

/** Why something could not be recorded, as one line. */
export function describeRecordingError(error: unknown): string {
  if (error instanceof Unsupported) return `uses ${error.message}`
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown }
  if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return 'does not end in time'
  if (message === 'Array buffer allocation failed') return 'needs more memory than it may have (--memory)'
  return `throws ${typeof message === 'string' ? firstLine(message) : firstLine(String(error))}`
}

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200)
