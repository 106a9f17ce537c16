import { type Db, type Document } from 'mongodb'

/**
 * Promise of a write concern about a write that it has acknowledged.
 * Kept: whatever happens to a minority of the members.
 * Crash: kept, unless servers crash before they have written their journal.
 * Rollback: a new primary may not have it.
 * Unknown: that depends on facts that cannot be seen.
 */
export type Durability = {
  readonly kind: 'kept' | 'crash' | 'rollback' | 'unknown'
  /** Why, as the end of a sentence. */
  readonly why: string
}

/** Members of a set, by what they mean for a write. */
export type Voters = {
  readonly voting: number
  /** Number of voting members that hold data: arbiters do not. */
  readonly votingWithData: number
  /** Hold data and have no vote, but acknowledge writes all the same. */
  readonly othersWithData: number
}

const alone: Voters = { voting: 1, votingWithData: 1, othersWithData: 0 }

/** @param voters Null: how many there are is not known. */
export function describeDurability(
  { w = 'majority', j }: { readonly w?: unknown; readonly j?: unknown },
  voters: Voters | null,
): Durability {
  const concern = `{"w": ${JSON.stringify(w)}${j === undefined ? '' : `, "j": ${String(j)}`}}`
  if (w === 'majority')
    return j === false
      ? { kind: 'crash', why: `${concern} does not wait for the journal` }
      : { kind: 'kept', why: `${concern} waits for a majority` }
  if (typeof w !== 'number')
    return { kind: 'unknown', why: `${concern}, a custom mode of the set, may or may not wait for a majority` }
  if (voters === null)
    return { kind: 'unknown', why: `${concern} may or may not wait for a majority: the members are unknown` }
  if (w < wantedBy(voters))
    return { kind: 'rollback', why: `${concern} does not wait for a majority of the ${voters.voting} voting members` }
  return j === true
    ? { kind: 'kept', why: `${concern} waits for a majority` }
    : { kind: 'crash', why: `${concern} does not wait for the journal` }
}

/** Members that must have a write so that every primary to come has it: a number counts those without a vote too. */
function wantedBy({ voting, votingWithData, othersWithData }: Voters): number {
  return Math.min(Math.floor(voting / 2) + 1, votingWithData) + othersWithData
}

const fromWeakest = ['rollback', 'unknown', 'crash', 'kept'] as const satisfies readonly Durability['kind'][]

/** Returns the durability of the write concern that promises least. */
export function weakest([first, ...others]: readonly Durability[]): Durability {
  const start: Durability = first ?? { kind: 'kept', why: 'nothing is written' }
  return others.reduce(
    (least, one) => (fromWeakest.indexOf(one.kind) < fromWeakest.indexOf(least.kind) ? one : least),
    start,
  )
}

/**
 * Why a write that was acknowledged may be gone all the same. Null: it may not.
 * @param crashed Whether a server was killed.
 */
export function whyLossIsAllowed({ kind, why }: Durability, crashed: boolean): string | null {
  switch (kind) {
    case 'kept':
      return null
    case 'crash':
      return crashed ? `${why}, and servers were killed: a loss is expected` : null
    case 'rollback':
      return `${why}: a loss is expected`
    case 'unknown':
      return why
  }
}

/**
 * Judges documents that were acknowledged and are gone.
 * @param isWrong Whether anything else is wrong that no write concern allows.
 * @param whyAllowed Why they may be gone. Null: they may not.
 */
export function judgeLoss(isWrong: boolean, lost: number, whyAllowed: string | null): 'held' | 'allowed' | 'violated' {
  if (isWrong) return 'violated'
  if (lost === 0) return 'held'
  return whyAllowed === null ? 'violated' : 'allowed'
}

/** The members of the set behind a client. Null: a router does not list them, and not every user may ask. */
export async function readVoters(db: Db): Promise<Voters | null> {
  const admin = db.client.db('admin')
  const hello = await admin.command({ hello: 1 })
  if (hello['msg'] === 'isdbgrid') return null
  if (hello['setName'] === undefined) return alone
  try {
    const { config } = await admin.command({ replSetGetConfig: 1 })
    return countVoters((config as Document)['members'] as readonly Document[])
  } catch {
    return null
  }
}

const holdsData = ({ arbiterOnly = false }: Document): boolean => !arbiterOnly

/** @param members As the configuration of a set lists them. */
export function countVoters(members: readonly Document[]): Voters {
  const voting = members.filter(({ votes = 1 }) => votes === 1)
  const votingWithData = voting.filter(holdsData).length
  return {
    voting: voting.length,
    votingWithData,
    othersWithData: members.filter(holdsData).length - votingWithData,
  }
}
