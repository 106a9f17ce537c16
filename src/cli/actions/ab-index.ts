import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../core/clock.ts'
import { Problem } from '../../core/errors.ts'
import { type JsonObject } from '../../core/json.ts'
import { stateFolder, thisMachine } from '../../servers/machine.ts'
import { toDatabaseName } from '../../servers/targets/ownership.ts'
import { guardChanges } from '../../servers/targets/server/guardian/changed-servers.ts'
import { type IndexKey, readComparison } from '../../sources/init/comparison/spec-of-comparison.ts'
import { specsForTrialIndex, splitNamespace } from '../../sources/init/make-spec.ts'
import { specName } from '../../sources/init/names.ts'
import { describePlan, explainCall } from '../../sources/init/query/describe-call.ts'
import { type OwnQuery, readOwnQuery } from '../../sources/init/query/read-query.ts'
import { printSpec } from '../../spec/parse/print-spec.ts'
import { ab, type AbOptions, defaultBudgetSeconds } from '../../verdicts/ab/ab.ts'
import { buildTrialIndex, type TrialIndex } from '../../verdicts/ab/trial-index.ts'
import { type CliContext } from '../cli-context.ts'
import { type AbFlags } from '../commands/ab.ts'
import { readUris, requireUri } from '../options/uris.ts'
import { chooseFormat, isForPeople } from '../results/print-as.ts'
import { createContextFromFlags } from '../start-context.ts'
import { defaultFolder, showOutcome, toAbOptions } from './ab.ts'

/** B is worse than A. */
const worseExitCode = 5

/** Documents to look at. */
const sample = 1000

/** Builds an index hidden, measures a query with it hidden and shown, drops it, and measures writes without and with it. */
export async function runAbOfIndex(
  given: string,
  spec: string | undefined,
  flags: AbFlags,
  cli: CliContext,
): Promise<void> {
  const { namespace, key } = parseIndex(given)
  const query = readQuery(flags, spec)
  requirePermission(namespace, flags)
  const uris = readUris(flags.uri, cli.env)
  const uri = requireUri(uris)
  await using start = createContextFromFlags(flags, uris, cli)
  const { reads, writes, notes, extent } = await specsForTrialIndex(
    namespace,
    { key, query, sample, documents: flags.documents, budgetSeconds: flags.budget ?? defaultBudgetSeconds },
    start,
  )
  // Programs read the comparisons alone.
  const say = isForPeople(chooseFormat(flags.format, cli)) ? cli.print : cli.printStatus
  const out = flags.out ?? defaultFolder(`${specName(namespace)}-index`, cli)
  for (const note of notes) cli.printStatus(`note: ${note}\n`)
  const recordChange = await guardChanges(uri, start.supervisor, stateFolder(thisMachine(cli.env)))
  {
    await using index = await buildTrialIndex({
      uri,
      ...splitNamespace('--index', namespace),
      key,
      recordChange,
      clock: systemClock,
      signal: cli.stop,
    })
    const { buildSeconds, megabytes } = index
    say(
      `built hidden on ${namespace} in ${buildSeconds.toFixed(1)} s, ${megabytes.toPrecision(3)} MB; it is dropped after the reads\n`,
    )
    if (!(await showPlans(index, query, say))) return
    say('\nThe query, with the index shown (B) instead of hidden (A):\n')
    await measureSides(
      { name: 'reads', spec: reads, out, uri, beforeTurn: (side) => index.show(side === 'b') },
      flags,
      cli,
    )
  }
  cli.printStatus('the index is dropped\n')
  if (cli.stop.aborted) return
  say('\nInserts and updates of made-up documents like yours, with the index (B) instead of without it (A):\n')
  // Every index costs writes something: that alone is no failure.
  const exitWith: CliContext['exitWith'] = (code) => (code === worseExitCode ? undefined : cli.exitWith(code))
  const { html: _, ...others } = flags
  const databases = (['a', 'b'] as const).map((side) => toDatabaseName(`${String(writes['name'])}_${side}`))
  const drops = databases.map((made) => recordChange({ namespace: made }))
  try {
    await measureSides({ name: 'writes', spec: writes, out, uri, limit: extent }, others, { ...cli, exitWith })
  } finally {
    for (const drop of drops) await drop()
  }
  cli.printStatus(`the databases of the writes, ${databases.join(' and ')}, are dropped\n`)
}

/** @returns Whether the planner chooses the index. */
async function showPlans({ collection, name, show }: TrialIndex, { call }: OwnQuery, say: CliContext['print']) {
  const without = await explainCall(collection, call)
  await show(true)
  const shown = await explainCall(collection, call)
  await show(false)
  say(`without it: ${describePlan(without)}\nwith it: ${describePlan(shown)}\n`)
  if (typeof shown === 'string' || shown.indexes.includes(name)) return true
  say('The server does not choose the index for this query, so it gains nothing: nothing else is measured.\n')
  return false
}

type Measured = {
  readonly name: string
  readonly spec: JsonObject
  readonly out: string
  /** A secret. */
  readonly uri: string
  /** Limit of its verdicts that is named first. */
  readonly limit?: string | null
  readonly beforeTurn?: NonNullable<AbOptions['beforeTurn']>
}

async function measureSides({ name, spec, out, uri, limit, beforeTurn }: Measured, flags: AbFlags, cli: CliContext) {
  const folder = join(out, name)
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'spec.json')
  await writeFile(file, printSpec(spec))
  const { comparison, ...outcome } = await ab(file, {
    ...toAbOptions(flags, folder, cli),
    a: { set: { index: 'without' } },
    b: { set: { index: 'with' } },
    budgetSeconds: flags.budget,
    uris: { MONGO_PERF_URI: uri },
    givenAs: readUris(flags.uri, {}).givenAs,
    ...(beforeTurn && { beforeTurn }),
  })
  const limited = comparison && limit ? { ...comparison, limits: [limit, ...comparison.limits] } : comparison
  await showOutcome({ ...outcome, comparison: limited }, folder, flags, cli)
}

/** "shop.orders {"status":1}": a collection and the key of an index. */
function parseIndex(text: string): { readonly namespace: string; readonly key: IndexKey } {
  const [, namespace = '', key = ''] = /^(\S+)\s+(\{.*\})$/s.exec(text.trim()) ?? []
  const [read] = key === '' ? [] : (readComparison([key], undefined)?.indexes ?? [])
  if (read === undefined)
    throw new Problem('usage', `--index "${text}" does not name a collection and an index`, {
      hint: `Write --index 'shop.orders {"status":1,"at":-1}'.`,
    })
  splitNamespace('--index', namespace)
  return { namespace, key: read }
}

function readQuery(flags: AbFlags, spec: string | undefined): OwnQuery {
  if (spec !== undefined)
    throw new Problem('usage', '--index takes the place of a spec', { hint: `Leave out ${spec}, or --index.` })
  const settings = [...(flags.a ?? []), ...(flags.b ?? [])]
  if (settings.length > 0 || flags.rounds !== undefined || flags.untilClear === true)
    throw new Problem('usage', '--index compares the query without the index and with it, in alternating stretches', {
      hint: 'Leave out --a, --b, --rounds and --until-clear.',
    })
  const query = readOwnQuery(flags)
  if (query !== undefined) return query
  throw new Problem('usage', '--index needs the query that it is for', {
    hint: `Add --query '{"status":"open"}' --sort '{"at":-1}' --limit 20.`,
  })
}

function requirePermission(namespace: string, { allowIndex = [] }: AbFlags): void {
  if (allowIndex.includes(namespace)) return
  throw new Problem('refused', `--index builds an index on ${namespace}, which mongo-perf did not create`, {
    hint: `If that is what you want, add --allow-index ${namespace}. Queries of others do not use it while it is hidden; it is shown in turns, and dropped at the end.`,
  })
}
