import { z } from 'zod'
import { serverOptions } from '../server/server-options.ts'

const memberFields = z
  .strictObject({
    arbiter: z.boolean().default(false).describe('An arbiter, which votes but has no data. Default: false.'),
    priority: z
      .number()
      .min(0)
      .max(1000)
      .optional()
      .describe('Priority in elections, 0 (never primary) to 1000. Default: 1, or 0 if it cannot be primary.'),
    hidden: z
      .boolean()
      .default(false)
      .describe('Whether it is hidden from clients. Such a member is never primary. Default: false.'),
    votes: z.int().min(0).max(1).default(1).describe('Its votes in elections, 0 or 1. Default: 1.'),
    tags: z.record(z.string(), z.string()).default({}).describe('Tags for read preferences. Default: none.'),
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
    server: serverOptions.optional().describe("Options of its mongod, added to the target's. Default: none."),
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
    'Too many members are stopped: the others lack a majority of the votes and cannot elect a primary',
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

/** The server has the same ones, except that a new primary catches up without a limit in any version. */
const standardSettings = {
  electionTimeoutMs: 10_000,
  heartbeatIntervalMs: 2_000,
  heartbeatTimeoutSecs: 10,
  catchUpTimeoutMs: -1,
  chainingAllowed: true,
}

/** The spec field for the settings of a replica set, which the server checks. */
export const settingsSchema = z
  .record(z.string().regex(/^[a-z]\w*$/, 'is not a setting'), z.union([z.number(), z.boolean()]))
  .prefault({})
  .transform((given): Readonly<Record<string, number | boolean>> => ({ ...standardSettings, ...given }))
  .describe(
    'Settings of the replica set, as the server names and checks them; `Millis` at the end of a name may be `Ms`: `{"electionTimeoutMs": 2000, "chainingAllowed": false}`. Default: an election timeout of 10 s, heartbeats every 2 s with a timeout of 10 s, no limit for catching up, chaining. See https://www.mongodb.com/docs/manual/reference/replica-configuration/',
  )

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
  settings: SetSettings,
): Record<string, unknown> {
  return {
    _id: name,
    members: list.map(({ member, host }, index) => memberConfiguration(member, host, index)),
    settings: Object.fromEntries(Object.entries(settings).map(([key, value]) => [key.replace(/Ms$/, 'Millis'), value])),
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
