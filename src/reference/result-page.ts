import { type PhaseResult, type Result, type VariantResult } from '../results/schema.ts'
import { type OperationResult } from '../results/schema/calls.ts'
import { code, paragraphs, table } from './markdown.ts'
import { type Page } from './page.ts'

/** What a field holds. The compiler asks for every field, and for no other. */
type Meanings<Part> = Readonly<Record<keyof Part, string>>

const ofResult: Meanings<Result> = {
  format: '"mongo-perf-result".',
  version: 'Version of the format. Older files are brought up to date when they are read; newer ones are refused.',
  tool: 'Name and version of the tool that wrote it.',
  spec: 'Name, title, seed, thresholds, the report part, and the effective spec: profile, `--set` and `--only` applied. Equal hashes mean equal work.',
  environment:
    'The machine of the client with its board and disks, Node, the driver and its options. Servers that were started for the run shared that machine.',
  compact:
    'Whether rows hold no time lines, histograms and single timings, and no counters of members that no table shows (`run --compact`).',
  status:
    '"running", "done", "aborted" or "failed". It is written anew after every row, so an end by force leaves "running".',
  startedAt: 'When the run began, ISO 8601.',
  finishedAt: 'When it ended; null while it runs.',
  variants: 'One entry for each row of the spec in each round of its repeats.',
  warnings: 'Doubts about the run as a whole.',
}

const ofVariant: Meanings<VariantResult> = {
  row: 'Position of the row in the spec, from 0.',
  run: 'Round of the repeats, from 1.',
  startUp: 'Whether it is a start-up run, which is kept and left out of medians.',
  label: 'What the row is called in tables.',
  status: '"done", "aborted" or "failed".',
  error: 'Why it failed, where it did.',
  parameters:
    'Every parameter with its value; its label where it has one; its position in a list of the variants where it was taken from one.',
  facts: 'What the spec says of the target and cannot be seen.',
  server:
    'Version, topology, storage engine, cache, cores and memory of the server, and what its links came to; never its address.',
  data: 'Each data set: rows, where they came from, load and index times, mean size of a document, and for each path of `@sample` who chose the documents (all were taken, the seed, or the server at random) and a digest of the values: equal digests, equal values.',
  phases: 'The measured phases in their order.',
  checks:
    'Each [check](checks.md): its verdict ("held", "violated", "allowed": lost as the write concern lets it be, or "not-checked"), why, its figures, and the first examples of what was wrong.',
  storage:
    'What each collection and its indexes took on disk after the last phase, and whether a checkpoint went before; null where that is not known.',
  commands: 'Every command that started and configured the servers, for repeating it by hand.',
  warnings: 'Doubts about the row.',
  startedAt: 'When the row began.',
  seconds: 'How long it took, with starting and loading.',
}

const ofPhase: Meanings<PhaseResult> = {
  name: 'Name of the phase.',
  workers:
    'Callers of a closed loop; of an open one the calls that may be in flight; of a search for their best number the most that could be tried.',
  threads: 'Threads of the operating system that they were spread over.',
  load: 'Kind of the load: "closed", "open" or "findPeak".',
  retries: '"none", or "driver" where calls were repeated as the driver does by default.',
  writeConcern: 'Write concern as it was sent.',
  readConcern: 'Read concern as it was sent.',
  readPreference: 'Read preference as it was sent.',
  startedAt: 'When the timed window began.',
  wallSeconds:
    'Length of the timed window: first call sent to last call answered; of an open loop all of its plan, and until the last answer.',
  endedBecause: 'Which limit ended the phase, or that everything failed, or that it was aborted.',
  digest:
    'Digest of the calls that were sent, whatever their order: equal digests, equal sets of calls. Of a row that "latest" picks beside inserts it has the draw: which row that is depends on which inserts have ended by then.',
  operations: 'Each operation: counts, errors, latency, second by second.',
  latency:
    'Latency of all operations together, in a compact result of several operations; else null, for the histograms tell it.',
  streams: 'Each change stream: events by type, lag from write to event, second by second.',
  client:
    'Event loop, CPU, garbage collection and memory of this tool; `saturated` when it may have set the pace. With several threads the worst of their event loops, and each of them in `threads`.',
  otherLoad:
    'CPU time of processes that are neither this tool nor a server that it measures, in percent of all CPU time of a machine: one entry for each machine of which it is known, with what runs there ("client", and members by their names).',
  members:
    'For each member of the target, what its counters rose by in the window and second by second; null where a figure is not available, with the reason.',
  littlesLaw:
    'Mean latency times calls per second, divided by the workers: about 1 when they were always busy. Null in an open loop.',
  steadiness: 'Whether throughput held over the window, and the checkpoints in it.',
  unacknowledged:
    'Of documents that inserts sent without an acknowledgement ("w": 0): how many were sent, how many of them were there afterwards and how long after the window that was counted, or why it cannot be told; null where writes were acknowledged or nothing was inserted.',
  openLoop:
    'How the plan of an open loop was kept: the rate that was asked for, calls that were due, sent, dropped and late, most in flight, and the times since the calls were due (`wait` until sent, `response` until answered) of all operations, also second by second; null in a closed loop.',
  faults:
    'What was done to the servers on purpose: planned and real times, the members that it hit, and what went wrong with it.',
  availability:
    'For each time that a fault happened, until the next one began or the window ended: the time until another primary, the longest gap between successful calls, the time until the first success of a call sent after it, the seconds without any success, and the errors.',
  elections:
    'Who was primary when, and the rollback ids of the members before and after; null without faults or where there is no set.',
  peak: 'Of a search for the best number of workers: every step with its workers, seconds, calls and latency, and the best number; null where there was no search.',
  claims: 'What the spec claims of the rows that are read; null without a claim.',
  warnings: 'Doubts about the phase, each with advice.',
}

const ofOperation: Meanings<OperationResult> = {
  name: 'Name of the operation.',
  kind: 'Its kind.',
  ok: 'Calls that were acknowledged.',
  failed: 'Calls that the server or the driver refused.',
  unknown: 'Calls that timed out or lost their connection, and may have been done.',
  documents: 'Documents acknowledged or read.',
  bytes: 'BSON bytes of those documents; null where the operation moves none.',
  matched: 'Documents that writes matched, or what a count counted.',
  modified: 'Documents changed.',
  upserted: 'Documents that updates made because they matched none.',
  inserted: 'Documents inserted.',
  deleted: 'Documents deleted.',
  errors: 'Errors by code, each with its number and the first message.',
  explain:
    'What `explain` answered, after the window, for a few calls: winning plans, indexes, medians of the keys and documents examined; null for calls that have no plan, such as inserts, and for steps that need the replies of earlier ones.',
  latency:
    'By outcome: count, mean, least, greatest and percentiles in milliseconds, and the HDR histogram (V2, base64, in microseconds; null in a compact result).',
  perSecond:
    'Calls by outcome, documents, p50, p99 and maximum for each second of the window; null where there is no sample.',
  found: 'Of the documents that reads expected, those that came; null when none were expected.',
  missing: 'Of the documents that reads expected, those that did not come; null when none were expected.',
  steps: 'For an operation of several calls the same counts and times of each step, and how often it was skipped.',
  samples: 'Single timings, where the phase keeps them: number of the call and milliseconds.',
  transaction:
    'Of transactions the runner and the concerns that were sent; attempts, retries, conflicts, commits, commits sent again, aborts on purpose by reason, commits whose fate is unknown; latency of those committed in their first attempt, of commits and of aborted ones. Null for other operations. Counts and latency of the operation itself are those of committed transactions as a whole, retries and waiting included; its steps are those of the last attempt of each.',
  openLoop:
    'In an open loop the times since its calls were due: `wait` until they were sent, `response` of the successful ones, as latencies are; how many were sent more than 2 ms late; responses second by second. Null in a closed loop.',
}

const section = (heading: string, meanings: Readonly<Record<string, string>>): string =>
  paragraphs(
    `## ${heading}`,
    table(
      ['Field', 'Holds'],
      Object.entries(meanings).map(([name, meaning]) => [code(name), meaning]),
    ),
  )

const renderResult = (): string =>
  paragraphs(
    'A run writes `mongo-perf-results/<name of the spec>/result.json`, anew after every row. Tables, charts and CSV are made from it alone (`mongo-perf report`), so they can be made again at any time. ' +
      'It is plain JSON, the same as what `run` of the library returns. No URI and no password is in it.',
    'Names end with their unit (`Ms`, `Seconds`, `MB`, `Percent`). MB is 1024 × 1024 bytes. `src/results/schema.ts` has every field, as a Zod schema.',
    'In the file of a compact result, values that rows have in common are written once, in a list `shared`; `{"@shared": 3}` stands for the one of index 3. `readResult` of the library puts them back.',
    section('result', ofResult),
    section('variants[]', ofVariant),
    section('variants[].phases[]', ofPhase),
    section('variants[].phases[].operations[]', ofOperation),
  )

export const resultPage: Page = {
  file: 'result.md',
  title: 'The result file',
  summary: 'What `result.json` holds.',
  render: renderResult,
}
