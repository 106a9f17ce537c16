import { z } from 'zod'
import { serverOptions } from '../server/server-options.ts'

const memberFields = z
  .strictObject({
    arbiter: z.boolean().default(false).describe('Whether it only votes and holds no data. Default: false.'),
    priority: z
      .number()
      .min(0)
      .max(1000)
      .optional()
      .describe(
        'Priority in elections, 0 (never primary) to 1000. Default: 1, and 0 for a member that cannot be primary.',
      ),
    hidden: z
      .boolean()
      .default(false)
      .describe('Whether it is hidden from clients. Such a member is never primary. Default: false.'),
    votes: z.int().min(0).max(1).default(1).describe('Its votes in elections, 0 or 1. Default: 1.'),
    tags: z
      .record(z.string(), z.string())
      .default({})
      .describe('Tags for read preferences and write concerns. Default: none.'),
    secondaryDelaySeconds: z
      .int()
      .min(0)
      .max(86_400)
      .default(0)
      .describe('How many seconds it stays behind on purpose, 0 to 86400. Such a member is never primary. Default: 0.'),
    stopped: z
      .boolean()
      .optional()
      .describe(
        'Whether its mongod is shut down, with its data kept until the end, as soon as the set is complete and before anything is loaded: what a set does without it. It is not sampled. Default: false.',
      ),
    server: serverOptions.optional().describe("Options of its mongod, on top of the target's. Default: none."),
  })
  .meta({ title: 'ReplicaSetMember' })

const memberSpec = memberFields.refine(
  (candidate) => !candidate.priority || !isNeverPrimary(candidate),
  'A member that is an arbiter, hidden, delayed or without a vote has priority 0',
)

const memberList = z
  .array(memberSpec)
  .min(1)
  .max(7)
  .refine(
    (list) => list.some(canLead),
    'No member can be primary: one that is not stopped must hold data, vote, and have a priority above 0',
  )
  .refine(
    (list) => sumVotes(list.filter(isRunning)) > sumVotes(list) / 2,
    'Too many members are stopped: those that are left have no majority of the votes, and elect no primary',
  )

/** Creates this number of members without anything special. */
export const plainMembers = (count: number): SetMember[] => Array.from({ length: count }, () => memberFields.parse({}))

const memberCount = z.int().min(1).max(7).transform(plainMembers)

/**
 * A number of equal members, or each by itself; read, it is always a list.
 * @param standard How many there are by default.
 */
export const membersField = (standard: number) =>
  z
    .union([memberCount, memberList])
    .prefault(standard)
    .describe(`Number of members, 1 to 7, or a list of them. Default: ${standard}.`)

const tagCounts = z
  .record(z.string(), z.int().min(1).max(7))
  .refine((counts) => Object.keys(counts).length > 0, 'names no tag')

const writeConcernModes = z
  .record(z.string().regex(/^[A-Za-z][\w-]*$/), tagCounts)
  .refine((modes) => !Object.hasOwn(modes, 'majority'), '"majority" has its own meaning: choose another name')
  .optional()
  .describe(
    'Write concerns by the tags of members, under names that `writeConcern.w` of a phase may use: `{"twoPlaces": {"place": 2}}` waits for members with two different values of the tag `place`. (The server calls them `getLastErrorModes`.) Default: none.',
  )

/** The spec field for the settings of a replica set: election timeout, heartbeat interval and others. */
export const settingsSchema = z
  .strictObject({
    electionTimeoutMs: z
      .int()
      .min(100)
      .max(600_000)
      .default(10_000)
      .describe(
        'Election timeout: how long the primary may be unreachable before a new election, in ms, 100 to 600000. Default: 10000.',
      ),
    heartbeatIntervalMs: z
      .int()
      .min(50)
      .max(600_000)
      .default(2_000)
      .describe('Time between heartbeats of the members, in ms, 50 to 600000. Default: 2000.'),
    heartbeatTimeoutSecs: z
      .int()
      .min(1)
      .max(600)
      .default(10)
      .describe('How long a heartbeat may go unanswered, in seconds, 1 to 600. Default: 10.'),
    catchUpTimeoutMs: z
      .int()
      .min(-1)
      .max(600_000)
      .default(-1)
      .describe(
        'How long a new primary may take over writes of the old one, in ms, -1 (no limit) to 600000. Default: -1.',
      ),
    chainingAllowed: z
      .boolean()
      .default(true)
      .describe('Whether secondaries may copy from secondaries. Default: true.'),
    writeConcernMajorityJournalDefault: z
      .boolean()
      .optional()
      .describe('Whether "majority" waits for journals where "j" is not set. Default: true.'),
    writeConcernModes,
  })
  .meta({ title: 'ReplicaSetSettings' })
  .prefault({})
  .describe('Settings of the replica set. All are always sent.')

export type SetMember = z.output<typeof memberFields>
export type SetSettings = z.output<typeof settingsSchema>

function isNeverPrimary({ arbiter, hidden, votes, secondaryDelaySeconds }: SetMember): boolean {
  return arbiter || hidden || votes === 0 || secondaryDelaySeconds > 0
}

/** Priority as the server gets it: members that may not be primary have none, whether or not the spec sets it. */
function getPriority(member: SetMember): number {
  return member.priority ?? (isNeverPrimary(member) ? 0 : 1)
}

const isRunning = ({ stopped }: SetMember): boolean => !stopped

function canLead(candidate: SetMember): boolean {
  return isRunning(candidate) && !isNeverPrimary(candidate) && getPriority(candidate) > 0
}

const sumVotes = (list: readonly SetMember[]): number => list.reduce((sum, { votes }) => sum + votes, 0)

/** The member that is made the first primary: highest priority, or else it would be replaced within the run. */
export function firstPrimary(list: readonly SetMember[]): number {
  const highest = Math.max(...list.filter(canLead).map(getPriority))
  return list.findIndex((candidate) => canLead(candidate) && getPriority(candidate) === highest)
}

/** Whether the members that run can acknowledge for a majority. Arbiters count in it and hold nothing. */
export function reachesMajority(list: readonly SetMember[]): boolean {
  const holders = list.filter(({ votes, arbiter }) => votes > 0 && !arbiter)
  const needed = Math.min(Math.floor(sumVotes(list) / 2) + 1, holders.length)
  return holders.filter(isRunning).length >= needed
}

/** The configuration for `replSetInitiate`. */
export function setConfiguration(
  name: string,
  list: readonly { readonly member: SetMember; readonly host: string }[],
  {
    electionTimeoutMs,
    heartbeatIntervalMs,
    heartbeatTimeoutSecs,
    catchUpTimeoutMs,
    chainingAllowed,
    writeConcernMajorityJournalDefault: waitsForJournals,
    writeConcernModes: modes = {},
  }: SetSettings,
): Record<string, unknown> {
  return {
    _id: name,
    ...(waitsForJournals !== undefined && { writeConcernMajorityJournalDefault: waitsForJournals }),
    members: list.map(({ member, host }, index) => memberConfiguration(member, host, index)),
    settings: {
      electionTimeoutMillis: electionTimeoutMs,
      heartbeatIntervalMillis: heartbeatIntervalMs,
      heartbeatTimeoutSecs,
      catchUpTimeoutMillis: catchUpTimeoutMs,
      chainingAllowed,
      ...(Object.keys(modes).length > 0 && { getLastErrorModes: modes }),
    },
  }
}

function memberConfiguration(member: SetMember, host: string, index: number): Record<string, unknown> {
  const { arbiter, hidden, votes, tags, secondaryDelaySeconds } = member
  return {
    _id: index,
    host,
    priority: getPriority(member),
    votes,
    ...(arbiter && { arbiterOnly: true }),
    ...(hidden && { hidden }),
    ...(Object.keys(tags).length > 0 && { tags }),
    ...(secondaryDelaySeconds > 0 && { secondaryDelaySecs: secondaryDelaySeconds }),
  }
}
