import { z } from 'zod'
import * as whole from '../../src/results/schema.ts'
import { agentRun } from '../../src/results/schema/agents.ts'
import * as calls from '../../src/results/schema/calls.ts'
import * as client from '../../src/results/schema/client.ts'
import { disk, environment } from '../../src/results/schema/environment.ts'
import { explain } from '../../src/results/schema/explain.ts'
import * as faults from '../../src/results/schema/faults.ts'
import { json } from '../../src/results/schema/fields.ts'
import { latency, latencySummary, nullableSeries, secondHistograms } from '../../src/results/schema/latency.ts'
import { openLoopResult, openTimes } from '../../src/results/schema/open-loop.ts'
import { pairing, sideName } from '../../src/results/schema/pairing.ts'
import * as servers from '../../src/results/schema/servers.ts'
import { steadiness, warning, warningFigure } from '../../src/results/schema/warnings.ts'
import { outcome, windowResult } from '../../src/results/schema/windows.ts'
import { isSchema, type Schema } from './editor/share-schemas.ts'

export const { result } = whole

/** The parts of a result that are types of TypeScript and definitions of the JSON Schema, by their names there. */
const parts = {
  VariantResult: whole.variantResult,
  PhaseResult: whole.phaseResult,
  CheckResult: whole.checkResult,
  DataSetResult: whole.dataSetResult,
  ParameterValue: whole.parameterValue,
  OperationResult: calls.operationResult,
  StepResult: calls.stepResult,
  TransactionResult: calls.transactionResult,
  StreamResult: calls.streamResult,
  PerSecond: calls.perSecond,
  ErrorCount: calls.errorCount,
  Samples: calls.samples,
  Unacknowledged: calls.unacknowledged,
  WriteConcern: calls.writeConcern,
  ReadConcern: calls.readConcern,
  ReadPreference: calls.readPreference,
  OwnColumnHead: calls.ownColumn,
  AgentRun: agentRun,
  ClientHealth: client.clientHealth,
  ThreadHealth: client.threadHealth,
  OtherLoad: client.otherLoad,
  MachineSpeed: client.machineSpeed,
  PoolResult: client.poolResult,
  Disk: disk,
  Environment: environment,
  Explain: explain,
  FaultResult: faults.faultResult,
  FaultOccurrence: faults.faultOccurrence,
  Availability: faults.availability,
  ElectionWatch: faults.electionWatch,
  Json: json,
  Latency: latency,
  LatencySummary: latencySummary,
  Series: nullableSeries,
  SecondHistograms: secondHistograms,
  OpenTimes: openTimes,
  OpenLoopResult: openLoopResult,
  Pairing: pairing,
  SideName: sideName,
  ServerInfo: servers.serverInfo,
  ServerLimits: servers.serverLimits,
  AchievedLinks: servers.achievedLinks,
  MemberMetric: servers.memberMetric,
  MemberResources: servers.memberResources,
  ShardingResult: servers.shardingResult,
  Storage: servers.storage,
  Steadiness: steadiness,
  Warning: warning,
  WarningFigure: warningFigure,
  SearchOutcome: outcome,
  WindowResult: windowResult,
}

for (const [id, part] of Object.entries(parts)) z.globalRegistry.add(part, { ...z.globalRegistry.get(part), id })

/** The JSON Schema of a result as it is read: nothing with a default is missing. The title of each part is its name. */
export function readSchema(): Schema {
  const { $defs, ...root } = z.toJSONSchema(result, { io: 'output', reused: 'inline' }) as Schema
  const definitions = isSchema($defs) ? Object.entries($defs) : []
  return {
    ...root,
    title: 'Result',
    $defs: Object.fromEntries(definitions.map(([name, part]) => [name, { title: name, ...(part as Schema) }])),
  }
}
